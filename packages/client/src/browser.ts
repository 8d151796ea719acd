/** The storage of a browser, as far as it is used here. */
export interface BrowserStorage {
  readonly getItem: (name: string) => string | null
  readonly setItem: (name: string, value: string) => void
  readonly removeItem: (name: string) => void
}

/** Web Locks. */
export interface Locks {
  readonly request: <T>(
    name: string,
    options: { readonly signal?: AbortSignal },
    run: () => Promise<T>,
  ) => Promise<T>
  readonly query: () => Promise<{ readonly held?: readonly { readonly name?: string }[] }>
}

/** A BroadcastChannel. */
export interface Channel {
  readonly postMessage: (message: unknown) => void
  readonly addEventListener: (
    name: 'message',
    listener: (event: { readonly data: unknown }) => void,
  ) => void
  readonly close: () => void
}

/**
 * What only pages have. Types of the DOM are not loaded, so that no code of this
 * package takes a page for granted.
 */
export const browser = globalThis as unknown as {
  readonly window?: { readonly sessionStorage?: BrowserStorage }
  readonly BroadcastChannel?: new (name: string) => Channel
  readonly navigator?: { readonly locks?: Locks }
}
