import { readText } from './read-text.ts'
import type { Transport } from './transport.ts'

/**
 * Transport for production pages: `fetch` with browser defaults. `fetchTransport` also
 * handles in-process handlers and other runtimes.
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

/** A custom header would cause a CORS preflight and must be allowed by the instance. */
export const sendsRequestIds = false
