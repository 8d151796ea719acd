// Modules and globals that only applications have.

declare module '~uilm' {
  /** Notifies all subscribers of a change. */
  export const changed: () => void
  export const getChanges: () => number
  export const getLanguage: () => string
  export const pack: (load: (language: string) => Promise<unknown>) => Promise<unknown>
  export const subscribe: (listener: () => void) => () => void
}

declare module '~uilm/react' {
  /** Context with the number of changes; undefined outside of a provider. */
  export const Changes: unknown
}

declare module '~uilm-runtime/live.js' {
  export const livePack: (
    load: (addressOf: (hash: string, base: string) => string) => Promise<unknown>,
    size: number,
  ) => Promise<unknown>
}

declare module 'react-compiler-runtime' {
  export const c: (size: number) => unknown[]
}

declare const __webpack_public_path__: string
declare const __webpack_require__: {
  e?: ((chunk: string, ...rest: unknown[]) => Promise<unknown>) & { readonly uilm?: boolean }
}

interface ImportMeta {
  readonly hot?: { readonly on: <T>(event: string, listener: (data: T) => void) => void }
}
