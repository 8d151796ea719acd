import type { KeyRecord } from '../state/records.ts'

/** Key that the application shows; of a message with plural forms, the name of the message. */
export interface ShownKey {
  readonly module: string
  readonly key: string
}

interface ApplicationEvents {
  /** The pointer is on a message, or has left it. */
  readonly onhover: (key: ShownKey | undefined) => void
  /** The key of a message is asked for. */
  readonly onopen: (key: ShownKey) => void
}

/** Returns the address of an application that the console may show: only on this machine. */
export function parseApplicationUrl(text: string): URL | undefined {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isLocal = url && ['localhost', '127.0.0.1'].includes(url.hostname)
  return isLocal && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * Connects to the application in a frame, whose plugin tells which message the pointer is on and
 * marks the messages of a key. Call it while a component is initialised.
 */
export function createApplicationLink(
  frame: () => HTMLIFrameElement | undefined,
  url: () => URL,
  { onhover, onopen }: ApplicationEvents,
) {
  let isConnected = $state(false)
  const send = (message: object): void => frame()?.contentWindow?.postMessage(message, url().origin)
  $effect(() => {
    const listen = ({ data, origin, source }: MessageEvent): void => {
      if (source !== frame()?.contentWindow || origin !== url().origin) return
      const { type, module, key } = (data ?? {}) as Partial<ShownKey> & { readonly type?: string }
      const shown =
        typeof module === 'string' && typeof key === 'string' ? { module, key } : undefined
      if (type === 'uilm:ready') send({ type: 'uilm:connect' })
      else if (type === 'uilm:connected') isConnected = true
      else if (type === 'uilm:hover') onhover(shown)
      else if (type === 'uilm:open' && shown) onopen(shown)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  })
  return {
    get isConnected() {
      return isConnected
    },
    /** The frame loads another page, or none. */
    disconnect: () => {
      isConnected = false
      onhover(undefined)
    },
    /** Marks the messages of a key in the application. */
    mark: (row: KeyRecord | undefined): void => {
      if (!isConnected) return
      const base = row?.key.replace(/_(?:zero|one|two|few|many|other)$/, '')
      send({ type: 'uilm:mark', ...(row && { module: row.module, keys: [row.key, base] }) })
    },
  }
}
