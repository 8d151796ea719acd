// Messages in server components: all languages are here, and the request selects one.
import { workUnitAsyncStorage } from 'next/dist/server/app-render/work-unit-async-storage.external'
import { cookies } from 'next/headers'
import { format } from './format.js'
import { closestLanguage, defaultLanguage } from './languages.js'
import { cookieName } from './project.js'
import { readRootParam, rootParam } from './root-param.js'
import { scopedLanguage, scopedTimeZone } from './scope.js'
import { matchLanguage } from './server.js'
import { getTimeZone as ownTimeZone, timeZoneOfCookie } from './time-zone.js'
import { timeZoneCookie } from './time-zone-cookie.js'

export { setTimeZone } from './time-zone.js'

/** Creates a message from its texts by language. */
export const message = (id, texts) =>
  Object.assign(
    (args) => {
      const language = getLanguage()
      return format(texts[language], args, language, getTimeZone())
    },
    { id, texts },
  )

/**
 * Returns the language of the request: that of the localizer, of the root parameter, of the
 * cookie, or of the browser.
 */
export function getLanguage() {
  const scoped = scopedLanguage()
  if (scoped) return scoped
  const store = workUnitAsyncStorage.getStore()
  if (!store) return defaultLanguage
  const value = store.rootParams?.[rootParam]
  if (value === undefined) return languageOfVisitor(store)
  // Lets caches know of the parameter. An action belongs to the page that called it, but the
  // function refuses to say so.
  if (store.phase !== 'action') void readRootParam()
  return closestLanguage(value) ?? defaultLanguage
}

function languageOfVisitor(store) {
  // Marks the page as dynamic.
  if (store.phase !== 'action') void cookies()
  // Not at build time. A response also renders what later navigations reuse (`prerender-runtime`).
  if (!('cookies' in store)) return defaultLanguage
  return (
    closestLanguage(store.cookies.get(cookieName)?.value ?? '') ||
    matchLanguage(store.headers.get('accept-language'))
  )
}

/**
 * Returns the time zone of formatted dates: that of the localizer, of the cookie of the visitor if
 * the application has one, or of `setTimeZone`.
 */
export function getTimeZone() {
  if (timeZoneCookie === undefined) return ownTimeZone()
  return scopedTimeZone() ?? timeZoneOfCookie(cookieOfVisitor(timeZoneCookie))
}

function cookieOfVisitor(name) {
  const store = workUnitAsyncStorage.getStore()
  if (!store || isShared(store)) return undefined
  // Marks the page as dynamic.
  if (store.phase !== 'action') void cookies()
  return store.cookies?.get(name)?.value
}

/** Returns true where the result is shared by all visitors, so that Next.js refuses to read cookies. */
const isShared = ({ type }) => ['cache', 'unstable-cache', 'build-time-generator'].includes(type)

/** Returns the value of the root parameter, e.g. `de` of `/de/cart`. */
export const getParameter = () => workUnitAsyncStorage.getStore()?.rootParams?.[rootParam]

/**
 * Resolves when the language and the time zone are known. The shell of a page for any visitor ends
 * here.
 */
export async function untilLanguage() {
  const isInAddress = readRootParam && (await readRootParam()) !== undefined
  if (!isInAddress || timeZoneCookie !== undefined) await cookies()
}

export const detectLanguage = getLanguage
export const useLanguage = () => [getLanguage(), setLanguage]
export const useTranslate =
  () =>
  (message, ...args) =>
    message(...args)
export const LanguageProvider = ({ children }) => children
export const getChanges = () => 0
export const subscribe = () => () => undefined
export const setLanguage = () => {
  throw new Error('setLanguage() works in the browser. A server sets the cookie or redirects.')
}
