// Reads byoyomi aloud while it runs, for who wants it.
import type { Games, LiveGame } from '../live/games.svelte'
import { settings } from '../settings.svelte'
import { ticker } from '../ticker.svelte'
import { spoken } from './aloud'
import { chosen } from './chosen.svelte'
import type { Game } from './seat'

/** Faster than people talk: a second has one number. */
const RATE = 1.4
let last_s = -1

/** Within an effect: it reads the time. */
export function readAloud(game: Game, shown: LiveGame, games: Games): void {
  if (!chosen.aloud || shown.turn !== game.side || games.lost) return
  ticker.read()
  const { left_s, byoyomi } = shown.clock(game.side, games.now())
  const left = Math.ceil(left_s)
  if (!byoyomi || left === last_s) return
  last_s = left
  const text = spoken(game.times[game.side].byoyomi_s, left, settings.language)
  if (!text) return
  const voice = new SpeechSynthesisUtterance(text)
  voice.lang = settings.language
  voice.rate = RATE
  speechSynthesis.cancel()
  speechSynthesis.speak(voice)
}
