/** Compiler of Paraglide, which its package does not export by itself: its index needs Node. */
declare module 'paraglide/compile-bundle.js' {
  export function compileBundle(options: {
    readonly bundle: object
    readonly fallbackMap: Readonly<Record<string, string | undefined>>
    readonly messageReferenceExpression: (locale: string, id: string) => string
    readonly settings: { readonly locales: readonly string[]; readonly baseLocale: string }
  }): {
    readonly bundle: { readonly code: string }
    readonly messages: Readonly<Record<string, { readonly code: string }>>
  }
}
