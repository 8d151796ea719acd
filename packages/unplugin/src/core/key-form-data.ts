/** Event on which a page shows the form for an unknown key. */
export const keyFormEvent = 'servicekit:key-form'

/** Unknown key with what the form shows about it. */
export interface KeyFormData {
  readonly module: string
  readonly name: string
  /** Key that the form creates. */
  readonly key: string
  readonly language: string
  /** Position of the use, for the editor: `/app/src/cart.ts:3:10`. */
  readonly position: string
  /** `true` if the module does not exist either. */
  readonly isNewModule: boolean
  /** Existing key with a similar name. */
  readonly similar:
    | { readonly name: string; readonly module: string; readonly text: string }
    | undefined
}
