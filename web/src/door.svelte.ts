// Whether people may play in the browser, which the host decides: asked once.
class Door {
  open = $state(false)

  ask(): void {
    void fetch('/api/v1/rooms')
      .then((answer) => answer.json())
      .then((rooms) => (this.open = !!rooms.csa_websocket))
      .catch(() => {})
  }
}

export const door = new Door()
