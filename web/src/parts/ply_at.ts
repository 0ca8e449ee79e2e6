/** The move that a click on a picture of `columns` equal columns means; null where there is none. */
export function plyAt(event: MouseEvent, columns: number, plies: number): number | null {
  const box = (event.currentTarget as Element).getBoundingClientRect()
  const ply = Math.ceil(((event.clientX - box.left) / box.width) * columns)
  return ply >= 1 && ply <= plies ? ply : null
}
