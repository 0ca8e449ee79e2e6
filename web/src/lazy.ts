/** Parts of the pages that come when they are wanted. What could not be had is asked for again the next time. */
export function lazy<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let asked: Promise<Module> | undefined
  return () =>
    (asked ??= load().catch((error: unknown) => {
      asked = undefined
      throw error
    }))
}
