import {
  emitOneLanguage,
  emitPack,
  isRightToLeft,
  jsonLiteral,
  type MessageModel,
  type Model,
} from '@servicekit/catalog'
import { imports } from './code-parts.ts'
import { messageExport } from './message-export.ts'

/** Returns the code of `~uilm` in a build for one language. */
export function inlineRuntimeCode(
  { catalog }: Pick<Model, 'catalog'>,
  language: string,
  storageKey: string,
): string {
  const names = Object.fromEntries(catalog.languages.map(({ code, name }) => [code, name]))
  const codes = catalog.languages.map(({ code }) => code)
  const code = jsonLiteral(language)
  return `const outside = globalThis
const rules = {}
export const plural = /* @__PURE__ */ (() =>
  Object.assign(
    (count, language = ${code}) =>
      (rules[language] ??= new Intl.PluralRules(language)).select(count),
    { timeZone: outside.document?.documentElement.dataset.uilmTimeZone },
  ))()
${emitOneLanguage({ ...catalog, storageKey })}
export const languages = ${jsonLiteral(codes)}
export const defaultLanguage = ${jsonLiteral(catalog.defaultLanguage)}
export const languageName = (language) => (${jsonLiteral(names)})[language] ?? language
export const directionOf = (language) => ${jsonLiteral(codes.filter(isRightToLeft))}.includes(language) ? 'rtl' : 'ltr'
export const getLanguage = () => ${code}
export const detectLanguage = getLanguage
// The only language that a server can respond in.
export const closestLanguage = getLanguage
export const setLanguage = async (language) => {
  if (language !== ${code}) throw new RangeError('This build contains only the language ' + ${code})
}
export const htmlAttributes = () => ({ lang: ${jsonLiteral(language.replaceAll('_', '-'))}, dir: directionOf(${code}), 'data-uilm': ${code}, ...(getTimeZone() && { 'data-uilm-time-zone': getTimeZone() }) })
// Imported by adapters but never called.
export const message = (pack, index) => pack[index]
let isScoped = false
export const createLocalizer = async (language, options) => {
  await setLanguage(language)
  if (!isScoped) scopeTimeZone()
  isScoped = true
  return createScope({ language, timeZone: canonicalTimeZone(options?.timeZone) })
}
`
}

/**
 * Returns the code of a message in a build for one language. It is a function like in any
 * other build.
 *
 * ```js
 * export const message = () => "Anmelden"
 * export const message = a => "Hallo "+a.name
 * ```
 */
export function inlineKeyCode(message: MessageModel, model: Model, language: string): string {
  const pack = emitPack(model, [message], language)
  const text = pack.slice('export default ['.length, pack.lastIndexOf(']'))
  if (text.startsWith('"')) return `export const message = () => ${text}\n`
  if (/^(?:a|\(\))=>/.test(text)) return messageExport(message, model, text)
  return `${imports('plural')}
const text = ${text}
${messageExport(message, model, '(args) => text(args, plural)')}`
}
