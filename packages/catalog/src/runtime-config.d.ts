/** What stands in `runtime/runtime.js` until the project's configuration takes its place. */
declare const __UILM_CONFIG__: {
  readonly languages: readonly (readonly [code: string, name: string])[]
  readonly defaultLanguage: string
  readonly storageKey: string
}
