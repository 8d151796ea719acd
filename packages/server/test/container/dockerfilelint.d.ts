declare module 'dockerfilelint' {
  /** Returns the problems of a Dockerfile. */
  export function run(folder: string, text: string): readonly { readonly rule: string }[]
}
