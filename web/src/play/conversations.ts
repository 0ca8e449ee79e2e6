// Conversations with shogi-server (tests/golden/wire) as its players heard them: for tests.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../tests/golden/wire/', import.meta.url))

/** `part`: the words that begin the section of the file; without it what is before the first section. */
export function conversation(file: string, part = ''): string[] {
  const sections = readFileSync(`${FOLDER}${file}.txt`, 'utf8').split(/^--- /m)
  const found = part === '' ? sections[0] : sections.find((section) => section.startsWith(part))
  if (found === undefined) throw new Error(`no such part of ${file}: ${part}`)
  return found.split('\n')
}

/** The lines that a player reads. */
export const heardBy = (player: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const [, players = '', text = ''] = /^((?:[A-Z] )+)<\+? (.*)$/.exec(line) ?? []
    return players.split(' ').includes(player) && text !== '[EOF]' ? [text] : []
  })

export const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
