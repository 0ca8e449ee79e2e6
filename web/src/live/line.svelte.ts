class Line {
  /** How often the stream of events has come, the first time included. */
  back = $state(0)
}

/** What could not be had while the server was away is asked for again when it is back. */
export const line = new Line()
