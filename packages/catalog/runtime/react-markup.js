// Makes one node of a message with tags, and of what is inside a tag. An array of elements would
// need keys.
import { createElement, Fragment } from 'react'

/** @param {any} parts */
const render = (parts) => (Array.isArray(parts) ? createElement(Fragment, null, ...parts) : parts)

/** @type {<M extends (args: any) => any>(message: M) => M} */
export const markup = (message) =>
  Object.assign((/** @type {Record<string, any>} */ args) => {
    /** @type {Record<string, any>} */
    const rendered = {}
    for (const name in args) {
      const value = args[name]
      rendered[name] =
        typeof value === 'function'
          ? (/** @type {any} */ children) => value(render(children))
          : value
    }
    return render(message(rendered))
  }, message)
