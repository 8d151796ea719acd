/** Root element of the page; undefined outside a browser. @type {any} */
export const root = /** @type {any} */ (globalThis).document?.documentElement
