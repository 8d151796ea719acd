// Shows messages with tags in Vue.
import { Fragment, h } from 'vue'

/**
 * Shows a message with tags. Each tag is a slot; without one, what is inside it is shown. Slots can
 * also fill parameters.
 * @param {{ message: (args: object) => unknown, args?: Record<string, unknown>, slots?: readonly (number | string)[] }} props
 * @param {{ slots: Record<string, (props?: object) => any> }} context
 */
export const Markup = ({ message, args, slots: filled = [] }, { slots }) => {
  // Messages concatenate their parameters. As in a multipart body, no text contains the boundary.
  const boundary = `${Math.random()}`
  const marks = Object.fromEntries(filled.map((name, index) => [name, boundary + index + boundary]))
  /** Replaces the marks in texts by slots. @param {any} shown @returns {any} */
  const fill = (shown) => {
    if (Array.isArray(shown)) return shown.map(fill)
    if (typeof shown !== 'string' || filled.length === 0) return shown
    return shown.split(boundary).map((part, index) => {
      if (index % 2 === 0) return part
      const name = filled[Number(part)] ?? ''
      return h(Fragment, slots[name]?.() ?? [])
    })
  }
  return fill(
    message(
      new Proxy(
        { ...args, ...marks },
        {
          get: (known, /** @type {string} */ name) =>
            known[name] ??
            ((/** @type {any[]} */ children = []) =>
              slots[name] ? slots[name]({ children: h(Fragment, fill(children)) }) : children),
        },
      ),
    ),
  )
}
