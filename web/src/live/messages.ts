// What /api/v1/events says, version 1 (server/net/feed.h has the format).
import type { Api } from '../api'

export type Seat = Api['Seat']
/** Seconds; zeros where a part is not played with. */
export type TimeRule = Api['TimeRule']
export type GameEnd = Api['End']
export type Outcome = GameEnd['outcome']
export type Delay = Api['Delay']
/** `time` is Black's where there is a `white_time`. */
export type GameData = Api['Game']
/** What /api/v1/games/ID says. */
export type WholeGame = Api['WholeGame']
/** What the commentator says, in both languages. */
export type Told = Pick<Api['Commentary'], 'ja' | 'en'>

interface Whole {
  snapshot: Api['Snapshot']
  opened: Api['Opened']
  started: Api['Started']
  moved: Api['Moved']
  commented: Api['Commented']
  commentary: Api['Commentary']
  paused: Api['Paused']
  resumed: Api['Resumed']
  suspended: Api['Suspended']
  continued: Api['Continued']
  ended: Api['Ended']
  rejected: Api['Rejected']
  tick: Api['Tick']
}
/** Without their version, which nobody looks at. */
export type Messages = { [Name in keyof Whole]: Omit<Whole[Name], 'v'> }

export type MessageName = keyof Messages
export const MESSAGE_NAMES: readonly MessageName[] = [
  'snapshot',
  'opened',
  'started',
  'moved',
  'commented',
  'commentary',
  'paused',
  'resumed',
  'suspended',
  'continued',
  'ended',
  'rejected',
  'tick',
]
