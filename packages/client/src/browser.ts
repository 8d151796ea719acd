/** The members of Web Storage used here. */
export interface BrowserStorage {
  readonly getItem: (name: string) => string | null
  readonly setItem: (name: string, value: string) => void
  readonly removeItem: (name: string) => void
}

/** The members of the Web Locks API used here. */
export interface Locks {
  readonly request: <T>(
    name: string,
    options: { readonly signal?: AbortSignal },
    run: () => Promise<T>,
  ) => Promise<T>
}

/** The members of a BroadcastChannel used here. */
export interface Channel {
  readonly postMessage: (message: unknown) => void
  readonly addEventListener: (
    name: 'message',
    listener: (event: { readonly data: unknown }) => void,
  ) => void
  readonly close: () => void
}

/**
 * Globals that only pages have. DOM types are not loaded, so that no code in this package
 * assumes a page.
 */
export const browser = globalThis as unknown as {
  readonly window?: { readonly sessionStorage?: BrowserStorage }
  readonly BroadcastChannel?: new (name: string) => Channel
  readonly navigator?: { readonly locks?: Locks }
}
