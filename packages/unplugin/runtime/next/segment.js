// Wraps pages, layouts and the like, so that the client files below have their messages.
import { createElement } from 'react'
import { Segment } from './client.js'
import { getLanguage, getParameter, untilLanguage } from './rsc.js'
import { listMessages, textsOf } from './texts.js'

/**
 * Returns a component with the messages of the client files that it leads to, except those
 * of the layouts above.
 *
 * @param own, above Functions that list messages, from `?uilm-keys` modules.
 */
export function withMessages(Component, own, above) {
  const known = listMessages(above)
  const messages = [...listMessages(own)].filter((message) => !known.has(message))
  return async function WithMessages(props) {
    const inner = createElement(Component, props)
    if (messages.length === 0 && above.length > 0) return inner
    await untilLanguage()
    const language = getLanguage()
    return createElement(
      Segment,
      { language, parameter: getParameter(), texts: textsOf(messages, language) },
      inner,
    )
  }
}

/** Returns `generateMetadata` or the like, which may call messages. */
export const withLanguage =
  (generate) =>
  async (...args) => {
    await untilLanguage()
    return generate(...args)
  }
