// How a board alone looks, as its address says: for pages of others, which have no settings of ours. Pure.

export interface Look {
  /** '': as the viewer's settings say. */
  theme: '' | 'light' | 'dark'
  lang: '' | 'ja' | 'en'
  /** only: without the players. */
  board: '' | 'only'
  flip: boolean
  /** Nothing behind it; what is written stands on plates. */
  transparent: boolean
  /** With what the commentator says. */
  commentary: boolean
  /** After so many moves; '': the newest position. */
  ply: string
}

const oneOf = <T extends string>(values: readonly T[], value: string | null): T | '' =>
  values.find((one) => one === value) ?? ''

export function lookOf(query: string): Look {
  const found = new URLSearchParams(query)
  return {
    theme: oneOf(['light', 'dark'], found.get('theme')),
    lang: oneOf(['ja', 'en'], found.get('lang')),
    board: oneOf(['only'], found.get('board')),
    flip: found.get('flip') === '1',
    transparent: found.get('transparent') === '1',
    commentary: found.get('commentary') === '1',
    ply: /^\d{1,5}$/.exec(found.get('ply') ?? '')?.[0] ?? '',
  }
}

/** The frame for a page of others; `height` in pixels: that of a board with its players, where nothing else is said. */
export const frameOf = (address: string, height = 600): string =>
  `<iframe src="${address.replaceAll('&', '&amp;')}" width="420" height="${height}" style="border:0"></iframe>`

/** With its mark; only what is not usual. */
export function lookQuery(look: Look): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(look)) if (value) query.set(key, value === true ? '1' : value)
  const text = query.toString()
  return text && `?${text}`
}
