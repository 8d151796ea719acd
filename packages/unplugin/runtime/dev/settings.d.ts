/** Settings of the development server. `devFileCode` generates the code of this module. */

/** Key that selects an element with a click. */
export const modifier: 'alt' | 'ctrl' | 'meta' | 'shift' | 'none'
/** URL template of a key with `{module}`, `{key}` and `{language}`; empty for none. */
export const url: string
/** Origins of the console that may show the page in a frame and see its keys. */
export const consoles: readonly string[]
/** Token for creating unknown keys. */
export const token: string
/** Path to which the form sends a new key. */
export const keyPath: string
/** Event on which a page shows the form for an unknown key. */
export const keyFormEvent: string
