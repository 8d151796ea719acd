'use client'
'use no memo'
// Messages in client components: their texts come with the page, in one language. The caches of
// React Compiler depend on this file.
import { useRouter } from 'next/navigation'
import { createContext, createElement, use, useLayoutEffect, useMemo } from 'react'
import { scopedLanguage, scopedTimeZone } from '#scope'
import { format } from './format.js'
import { closestLanguage, defaultLanguage, languages } from './languages.js'
import { cookieName } from './project.js'
import {
  canonicalTimeZone,
  getTimeZone as ownTimeZone,
  setTimeZone as changeTimeZone,
} from './time-zone.js'
import { timeZoneCookie } from './time-zone-cookie.js'

const nothing = { language: '', texts: {} }
const Messages = createContext(nothing)
/** Messages on the page, for event handlers and effects. */
let live = nothing
/** Messages of a layout that failed before it was on the page, for the global error page. */
let failed = nothing
let parameter
let hasLocale = false
let router
let changes = 0
const listeners = new Set()
const isServer = typeof window === 'undefined'

/** Provides the messages of a page or layout, in addition to those above. */
export function Segment(props) {
  const { language, parameter: value, locale, router: given, texts, timeZone, children } = props
  const above = use(Messages)
  // The Pages Router gives its own, in all segments.
  const currentRouter = given ?? useRouter()
  const all = useMemo(
    () => ({
      language,
      texts: above.language === language ? { ...above.texts, ...texts } : texts,
      timeZone,
    }),
    [above, language, texts, timeZone],
  )
  // Servers have no effects, and React would warn.
  if (!isServer) {
    if (live === nothing) failed = all
    useLayoutEffect(() => {
      const isSame = live.language === language
      live = { ...all, texts: isSame ? { ...live.texts, ...all.texts } : all.texts }
      parameter = value
      hasLocale = locale !== undefined
      router = currentRouter
      changes++
      for (const listener of listeners) listener()
    }, [all, currentRouter, language, locale, value])
  }
  return createElement(Messages, { value: all }, children)
}

/** Creates a message. Only servers have its texts in all languages. */
export const message = (id, texts) =>
  Object.assign(
    (args) => {
      const messages = current()
      const { language, texts: known } = messages
      const zone = timeZoneOf(messages)
      const scoped = scopedLanguage()
      if (scoped === undefined && id in known) return format(known[id], args, language, zone)
      const shown = scoped ?? (language || defaultLanguage)
      return format(texts?.[shown] ?? id, args, shown, zone)
    },
    { id, texts },
  )

/** During rendering, the messages around the component; otherwise those on the page. */
function current() {
  try {
    const around = use(Messages)
    if (around !== nothing) return around
  } catch {
    // Not rendering.
  }
  return live === nothing ? failed : live
}

export const getLanguage = () =>
  scopedLanguage() ?? (current().language || (isServer ? defaultLanguage : detectLanguage()))
export const getChanges = () => changes
export const subscribe = (listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** With a cookie, every response has the time zone of its visitor. */
const timeZoneOf = ({ timeZone }) =>
  timeZoneCookie === undefined
    ? (ownTimeZone() ?? timeZone)
    : (scopedTimeZone() ?? timeZone ?? ownTimeZone())

export const getTimeZone = () => timeZoneOf(current())
export const setTimeZone = (name) => {
  if (timeZoneCookie !== undefined && !isServer) return storeTimeZone(canonicalTimeZone(name))
  changeTimeZone(name)
  changes++
  for (const listener of listeners) listener()
}

/** Stores the time zone of the visitor, and loads the page in it if it is another. */
function storeTimeZone(name) {
  if (readCookie(timeZoneCookie) === name) return
  const age = name === undefined ? 0 : 31536000
  document.cookie = `${timeZoneCookie}=${name ?? ''}; path=/; max-age=${age}; samesite=lax`
  if (name !== live.timeZone) router?.refresh()
}

/** Returns an object that changes with the messages around the component. */
export const useMessages = () => use(Messages)
export const useLanguage = () => [use(Messages).language || getLanguage(), setLanguage]
export function useTranslate() {
  const messages = use(Messages)
  return useMemo(
    () =>
      (message, ...args) =>
        message(...args),
    [messages],
  )
}
/** Pages and layouts provide their messages themselves. */
export const LanguageProvider = ({ children }) => children

export const detectLanguage = () =>
  isServer
    ? defaultLanguage
    : ([document.documentElement.lang, chosenLanguage(), ...navigator.languages]
        .map((code) => closestLanguage(code ?? ''))
        .find(Boolean) ?? defaultLanguage)

const chosenLanguage = () => readCookie(cookieName)

const readCookie = (name) =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(globalThis.document?.cookie)?.[1]

/**
 * Changes the language without loading the document again: in the address, if it contains
 * the language, and otherwise in the cookie. Resolves when the page shows it.
 */
export async function setLanguage(language) {
  if (!languages.includes(language)) {
    throw new RangeError(`Unknown language "${language}". Known languages: ${languages.join(', ')}`)
  }
  // In the form of addresses, which other libraries that read the cookie compare with their own.
  const code = parameter === undefined ? language : codeLike(parameter, language)
  document.cookie = `${cookieName}=${code}; path=/; max-age=31536000; samesite=lax`
  if (live.language === language) return
  const shown = new Promise((resolve) => {
    const stop = subscribe(() => {
      if (live.language !== language) return
      stop()
      resolve()
    })
  })
  const href = addressIn(language)
  if (hasLocale) router.setLocale(codeLike(router.locale(), language))
  else if (href === undefined) router.refresh()
  else router.replace(href, { scroll: false })
  await shown
}

/** Returns the address of the page in a language; undefined if it does not contain one. */
function addressIn(language) {
  const base = process.env.__NEXT_ROUTER_BASEPATH ?? ''
  const { pathname, search, hash } = location
  const segments = pathname.slice(base.length).split('/')
  const index = segments.findIndex((segment) => decodeURIComponent(segment) === parameter)
  if (index < 0) return undefined
  segments[index] = codeLike(parameter, language)
  return `${segments.join('/')}${search}${hash}`
}

/** Returns a language as addresses spell it: `de` if English is `en`. */
function codeLike(example, language) {
  const code = example.includes('-') ? language : language.split('-')[0]
  const found = closestLanguage(code) === language ? code : language
  return example === example.toLowerCase() ? found.toLowerCase() : found
}
