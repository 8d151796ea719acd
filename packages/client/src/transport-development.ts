import { isLoopbackUrl, tabHeader } from '@servicekit/core'
import { fetchTransport } from './transport-fetch.ts'
import type { Transport } from './transport.ts'

/**
 * Creates the transport for pages in development. It sends an id of the browser tab to a platform
 * on this machine, whose console can then inject faults into that tab only.
 */
export const defaultTransport = (): Transport => {
  const { send } = fetchTransport()
  return {
    send: ({ headers, ...request }) => {
      const tab = isLoopbackUrl(request.url) ? tabId() : undefined
      return send({ ...request, headers: tab ? { ...headers, [tabHeader]: tab } : headers })
    },
  }
}

interface TabStorage {
  readonly getItem: (name: string) => string | null
  readonly setItem: (name: string, value: string) => void
}

/** Returns the id of this tab, which a reload keeps; undefined without storage. */
function tabId(): string | undefined {
  try {
    const { sessionStorage: storage } = globalThis as { sessionStorage?: TabStorage }
    if (!storage) return undefined
    const id = storage.getItem(tabHeader) ?? crypto.randomUUID()
    storage.setItem(tabHeader, id)
    return id
  } catch {
    return undefined
  }
}

export { sendsRequestIds } from './transport-fetch.ts'
