import { isLoopbackUrl, tabHeader } from '@servicekit/core'
import { browser } from './browser.ts'
import type { TransportRequest } from './transport.ts'

/**
 * Adds the id of the browser tab to a request to a platform on this machine, whose console
 * can then inject faults into that tab only. Other requests stay as they are: the header
 * would require a CORS preflight.
 */
export function withTabId(request: TransportRequest): TransportRequest {
  const id = isLoopbackUrl(request.url) ? tabId() : undefined
  return id === undefined
    ? request
    : { ...request, headers: { ...request.headers, [tabHeader]: id } }
}

/** Returns the id of this tab, which a reload keeps; undefined outside of pages. */
function tabId(): string | undefined {
  try {
    const store = browser.window?.sessionStorage
    const id = store?.getItem(tabHeader) ?? crypto.randomUUID()
    store?.setItem(tabHeader, id)
    return store && id
  } catch {
    // Storage is blocked.
    return undefined
  }
}
