import { isLoopbackUrl, tabHeader } from '@servicekit/core'
import { fetchTransport } from './transport-fetch.ts'
import type { Transport } from './transport.ts'

/**
 * Transport for pages in development. Tells a platform on this machine which tab sent a request,
 * so that its console can inject a fault into one tab.
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
