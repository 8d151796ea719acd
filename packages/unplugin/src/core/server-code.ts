import type { Model } from '@servicekit/catalog'

/** What a runtime has to say of the project, as it stands: no detection, no document. */
export function projectCode({ catalog }: Pick<Model, 'catalog'>): string {
  const names = Object.fromEntries(catalog.languages.map(({ code, name }) => [code, name]))
  const codes = catalog.languages.map(({ code }) => code)
  return `export const languages = ${JSON.stringify(codes)}
export const defaultLanguage = ${JSON.stringify(catalog.defaultLanguage)}
export const languageName = (language) => (${JSON.stringify(names)})[language] ?? language
export const directionOf = (language) => ${JSON.stringify(codes.filter(isRightToLeft))}.includes(language) ? 'rtl' : 'ltr'
`
}

function isRightToLeft(code: string): boolean {
  try {
    const script = new Intl.Locale(code.replaceAll('_', '-')).maximize().script ?? ''
    return /^(?:Adlm|Arab|Aran|Hebr|Mand|Mend|Nkoo|Rohg|Samr|Syrc|Thaa)$/.test(script)
  } catch {
    return false
  }
}

/**
 * The runtime of a server: the texts of all languages are in memory, and nothing
 * but the request decides which one is shown.
 */
export const serverRuntimeCode = (model: Pick<Model, 'catalog'>): string => `${projectCode(model)}
let scope = () => undefined
let chosen
let changes = 0
const listeners = new Set()
const rules = Object.create(null)

const checked = (language) => {
  if (languages.includes(language)) return language
  throw new RangeError(\`There is no language "\${language}"; there are \${languages.join(', ')}\`)
}
export const setScope = (read) => { scope = read }
export const checkLanguage = checked
export const inLanguage = (language, work) => {
  const before = chosen
  chosen = checked(language)
  try {
    const result = work()
    if (typeof result?.then === 'function') {
      throw new TypeError('inLanguage is for work that awaits nothing; use withLanguage')
    }
    return result
  } finally {
    chosen = before
  }
}
export const getLanguage = () => chosen ?? scope() ?? defaultLanguage
export const detectLanguage = getLanguage
export const setLanguage = async () => {
  throw new Error('A server has no language of its own; use withLanguage of ~uilm/server')
}
export const getChanges = () => changes
export const subscribe = (listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const changed = () => {
  changes++
  for (const listener of listeners) listener()
}
export const pack = async (load) => {
  const all = await Promise.all(languages.map(async (language) => [language, (await load(language)).default]))
  return Object.fromEntries(all)
}
export const message = (texts, index) => (args) => {
  const shown = getLanguage()
  const text = texts[shown][index]
  return typeof text === 'function'
    ? text(args, (count, language = shown) => (rules[language] ??= new Intl.PluralRules(language)).select(count))
    : text
}
`

/** \`~uilm/server\`: how a request gets its language. */
export const serverAdapterCode = `import { checkLanguage, defaultLanguage, inLanguage, languages, setScope } from '~uilm'
export { inLanguage }

const Storage =
  globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage ??
  globalThis.AsyncLocalStorage
const storage = Storage && new Storage()
if (storage) setScope(() => storage.getStore())

export const withLanguage = (language, work) => {
  checkLanguage(language)
  if (storage) return storage.run(language, work)
  throw new Error('There is no AsyncLocalStorage here; use inLanguage')
}

export const matchLanguage = (header) => {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [code, ...rest] = part.trim().split(';')
      const quality = rest.map((one) => /^\\s*q=([\\d.]+)$/.exec(one)?.[1]).find(Boolean)
      return { code: code.trim().toLowerCase(), quality: Number(quality ?? 1) }
    })
    .filter(({ code, quality }) => code !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { code } of wanted) {
    const base = code.split('-')[0]
    const found =
      languages.find((language) => language.toLowerCase() === code) ??
      languages.find((language) => language.toLowerCase().split('-')[0] === base)
    if (found) return found
  }
  return defaultLanguage
}
`

/** \`~uilm/server\` in a browser's build, where the page has one language. */
export const noServerCode = `const none = () => {
  throw new Error('~uilm/server is for servers; in a browser use setLanguage of ~uilm')
}
export { none as withLanguage, none as inLanguage, none as matchLanguage }
`
