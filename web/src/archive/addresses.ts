// Where players connect, as the reader of a page would have to write it. Pure.

const isLoopback = (host: string): boolean => /^(127\.|::1$|localhost$)/.test(host.replace(/^\[|\]$/g, ''))

/**
 * The first address that can be reached from where the page was asked for; null: none is known to be. `addresses`:
 * HOST:PORT as the server listens, `hostname`: of the page's own address.
 */
export function reachableAddress(addresses: readonly string[], hostname: string): string | null {
  const reached = addresses.flatMap((address) => {
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
    if (host === '0.0.0.0' || host === '::') return [`${hostname}:${port}`]
    return port && (!isLoopback(host) || isLoopback(hostname)) ? [address] : []
  })
  return reached[0] ?? null
}
