/** Translation files of i18next. `emitI18nextResourceList` generates the code of this module. */

/** Options for `i18next.init`. */
export const options: object
/** Functions that load the translations of `language/module`. */
export const loads: Readonly<
  Record<
    string,
    () => PromiseLike<{ default: Record<string, string> }> | { default: Record<string, string> }
  >
>
