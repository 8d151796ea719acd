import { readText } from './read-text.ts'
import type { Transport } from './transport.ts'

/**
 * Transport for pages in production: `fetch` as a browser has it. What
 * `fetchTransport` does beyond this is for handlers in the same process and for
 * runtimes that take less care.
 */
export const defaultTransport = (): Transport => ({
  async send({ maxBytes, url, ...init }) {
    const response = await fetch(url, {
      ...(init as RequestInit),
      redirect: 'manual',
      credentials: 'include',
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await readText(response, maxBytes),
    }
  },
})

/** A browser asks the instance first whether it may send a header of ours. */
export const sendsRequestIds = false
