// Wraps pages, layouts and the like, so that the client files below have their messages.
import { createElement, Suspense } from 'react'
import { Segment } from './client.js'
import { readRootParam } from './root-param.js'
import { getLanguage, getParameter, getTimeZone, untilLanguage } from './rsc.js'
import { listMessages, textsOf } from './texts.js'
import { timeZoneCookie } from './time-zone-cookie.js'

/**
 * True if Next.js renders the page up to the first use of the request in advance, as with
 * `cacheComponents`, and the language or the time zone is known only from the request.
 */
const hasShell =
  process.env.__NEXT_CACHE_COMPONENTS &&
  (readRootParam === undefined || timeZoneCookie !== undefined)

/**
 * Returns a component with the messages of the client files that it leads to, except those
 * of the layouts above.
 *
 * @param own, above Functions that list messages, from `?uilm-keys` modules.
 */
export function withMessages(Component, own, above) {
  const known = listMessages(above)
  const messages = [...listMessages(own)].filter((message) => !known.has(message))
  async function WithMessages(props) {
    const inner = createElement(Component, props)
    const isProvided = messages.length === 0 && above.length > 0
    // Server components call messages, too, which must not become a part of the shell.
    if (!isProvided || hasShell) await untilLanguage()
    if (isProvided) return inner
    const language = getLanguage()
    const timeZone = getTimeZone()
    return createElement(
      Segment,
      {
        language,
        parameter: getParameter(),
        texts: textsOf(messages, language),
        ...(timeZone && { timeZone }),
      },
      inner,
    )
  }
  return hasShell
    ? (props) => createElement(Suspense, { fallback: null }, createElement(WithMessages, props))
    : WithMessages
}

/** Returns `generateMetadata` or the like, which may call messages. */
export const withLanguage =
  (generate) =>
  async (...args) => {
    await untilLanguage()
    return generate(...args)
  }
