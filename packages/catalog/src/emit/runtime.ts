import type { CatalogLanguage } from '../catalog.ts'
import { isRightToLeft, languageAliases } from '../languages.ts'
import { runtimeTemplate } from '../runtime-template.ts'
import { jsonLiteral, stringLiteral } from './literal.ts'
import { markupTypes } from './markup.ts'
import type { MarkupOptions } from '../options.ts'

/** Project configuration of the runtime. */
export interface RuntimeConfig {
  readonly languages: readonly CatalogLanguage[]
  readonly defaultLanguage: string
  /** Storage key under which the browser stores the chosen language. */
  readonly storageKey: string
  /** Initial language of every page; detected from the visitor by default. */
  readonly begin?: string | undefined
  /** Also stores the chosen language in a cookie, for servers; false by default. */
  readonly cookie?: boolean
  /** Keeps comments and indentation; true by default. */
  readonly comments?: boolean
  /** For a server, whose messages follow the localizers of all copies of the runtime. */
  readonly server?: boolean
  /** For a program without a plugin, whose messages are observed by the adapters it loads. */
  readonly program?: boolean
  /** For packs whose translations are all loaded, in programs that cannot await. */
  readonly sync?: boolean
  /** Updates of the packs without a new build; none by default. */
  readonly live?: LiveRuntime | undefined
}

/** Configuration of live updates. */
export interface LiveRuntime {
  /** URL of `uilm-current.json`, relative to the page. */
  readonly url: string
  /** Time at which a page checks for newer packs: at its start, also at navigations, or every n seconds. */
  readonly check: 'start' | 'navigation' | number
  /** Maximum time in milliseconds that the first packs wait for the URL; 0 for none. */
  readonly waitMs: number
}

/** Emits the runtime module with the configuration of the project. */
export function emitRuntime(config: RuntimeConfig): string {
  return configured(runtimeTemplate, config)
}

/**
 * Emits the part of the runtime that describes the languages of the project but has no
 * current language: `languages`, `closestLanguage` and the like.
 */
export function emitLanguages(config: RuntimeConfig): string {
  const [start, end] = ['/** Language codes', '/**\n * Returns the initial language'].map((text) =>
    runtimeTemplate.indexOf(text),
  )
  return configured(runtimeTemplate.slice(start, end), config)
}

/**
 * Emits the part of the runtime that a build for one language shares with the others: the time
 * zone and its subscribers (`state`), and the scope of a localizer (`scope`).
 */
export const emitOneLanguage = (config: RuntimeConfig): string =>
  configured(
    ['state', 'scope']
      .map((name) => runtimeTemplate.split(`// ${name}:start\n`)[1]!.split(`// ${name}:end`)[0]!)
      .join(''),
    { ...config, comments: false },
  )

function configured(template: string, config: RuntimeConfig): string {
  const codes = config.languages.map(({ code }) => code)
  const list = (all: readonly string[]): string =>
    `[${all.map((one) => stringLiteral(one)).join(',')}]`
  const names = config.languages
    .map(({ code, name }) => `[${stringLiteral(code)}]:${stringLiteral(name)}`)
    .join(',')
  const aliases = Object.entries(languageAliases(codes)).map(
    ([code, language]) => `${stringLiteral(code)}:${stringLiteral(language)}`,
  )
  const { live } = config
  const rtl = list(codes.filter(isRightToLeft))
  const values: Readonly<Record<string, string>> = {
    LANGUAGES: list(codes),
    DEFAULT: stringLiteral(config.defaultLanguage),
    BEGIN: config.begin === undefined ? 'detectLanguage()' : stringLiteral(config.begin),
    NAMES: live ? `({${names},...live.languages})` : `({${names}})`,
    RTL: live ? `[...${rtl},...live.rtl]` : rtl,
    // No prototype: visitors may request languages named like its members.
    ALIASES: `({__proto__:null,${aliases.join(',')}})`,
    STORAGE_KEY: stringLiteral(config.storageKey),
    COOKIE: stringLiteral(`${encodeURIComponent(config.storageKey)}=`),
    LIVE_URL: stringLiteral(live?.url ?? ''),
    LIVE_CHECK: jsonLiteral(live?.check ?? null),
    LIVE_WAIT: String(live?.waitMs),
  }
  const used = withoutLines(live ? template : withoutLive(template), [
    ...(aliases.length > 0 ? [] : ['ALIASES']),
    ...(config.cookie ? [] : ['COOKIE']),
  ])
  const unmarked = used.replaceAll(/^\/\/ (?:state|scope):(?:start|end)\n/gm, '')
  const commented = config.comments === false ? withoutComments(unmarked) : unmarked
  const code = `${commented}${config.program ? observedMessage : ''}${config.sync ? staticPack : ''}${config.server ? 'joinLocalizers()\n' : ''}`
  return code.replaceAll(/__UILM_([A-Z_]+?)__/g, (_, name: string) => values[name]!)
}

const observedMessage = `
let read
/** Calls \`reader\` before each call of a message, so that a framework tracks it. */
export const onRead = (reader) => {
  const before = read
  read = () => {
    before?.()
    reader()
  }
}
/** Creates the function of a message whose calls are observed. */
export const observedMessage = (entry, index) => {
  const translate = message(entry, index)
  return (args) => {
    read?.()
    return translate(args)
  }
}
`

const staticPack = `
/** Creates a pack from the translations in every language. */
export const staticPack = (by) => ({
  by,
  get entries() {
    return by[current]
  },
})
`

/** Removes live updates, so that other builds do not change by a byte. */
const withoutLive = (template: string): string =>
  template
    .replace(/^\/\/ live:start\n[^]*?^\/\/ live:end\n\n/m, '')
    .replace('export let defaultLanguage', 'export const defaultLanguage')

/** Removes what few projects need, because every visitor downloads the code. */
const withoutLines = (code: string, placeholders: readonly string[]): string =>
  placeholders.reduce((kept, name) => kept.replace(new RegExp(`.*__UILM_${name}__.*`), ''), code)

/** Saves every visitor 900 bytes (gzip) if the bundler has no minifier. */
const withoutComments = (template: string): string =>
  template.replaceAll(/\/\*(?! @__PURE__)[^]*?\*\/ ?|^\s*\/\/.*\n/gm, '').replaceAll(/^\s+/gm, '')

type RuntimeTypesConfig = Pick<RuntimeConfig, 'languages'> & {
  readonly markup?: MarkupOptions | undefined
}

/** Emits the declarations of the runtime. `Language` is the union of the language codes. */
export function emitRuntimeTypes(config: RuntimeTypesConfig): string {
  const union = config.languages.map(({ code }) => stringLiteral(code)).join(' | ') || 'never'
  return `/** Code of a language of this project. */
export type Language = ${union}

/** Value of a parameter. */
export type Value = string | number

/** Message without parameters. */
export type Message = () => string

/** Message with the parameters \`P\`. */
export type MessageWith<P extends string> = (args: { readonly [name in P]: Value }) => string

/** Plural message. \`P\` names the parameters in addition to \`count\`. */
export type PluralMessage<P extends string = never> = (
  args: { readonly count: number } & { readonly [name in P]: Value },
) => string

/** Message with the arguments \`A\`, formatted for the language: numbers, dates, lists. */
export type MessageOf<A> = (args: A) => string

/** Plural message whose key also has a translation to use without \`count\`. */
export type PluralOrPlain<P extends readonly unknown[], A> = (...args: P | [args: A]) => string

${markupTypes(config.markup)}/** Language codes of the project, starting with the default language. */
export const languages: readonly Language[]
/** Language that is shown if a translation is missing. */
export const defaultLanguage: Language
/** Display name of a language. */
export function languageName(language: Language): string
/** Text direction of a language. */
export function directionOf(language: Language): 'ltr' | 'rtl'
/**
 * Returns the initial language: the one that the user selected last, otherwise that of the
 * browser, otherwise the default language.
 */
export function detectLanguage(): Language
/** Returns the current language. */
export function getLanguage(): Language
/**
 * Changes the current language as soon as its translations are loaded. Rejects and changes
 * nothing if they cannot be loaded. The last of several concurrent calls wins.
 */
export function setLanguage(language: Language): Promise<void>
/** Returns the time zone of formatted dates; undefined for that of the machine. */
export function getTimeZone(): string | undefined
/**
 * Changes the time zone of formatted dates: \`setTimeZone('Asia/Tokyo')\`. Without a name, that
 * of the machine.
 *
 * @throws RangeError for an unknown time zone.
 */
export function setTimeZone(timeZone?: string): void
/**
 * Calls \`listener\` after every change of the language, the time zone or a translation.
 * Returns a function that unsubscribes.
 */
export function subscribe(listener: () => void): () => void
/** Returns a number that increases with every change of the language, the time zone or a translation. */
export function getChanges(): number
/**
 * Returns the attributes of the root element of a server-rendered page, from which the
 * browser reads the initial language and the time zone.
 *
 * @param language By default the current language.
 */
export function htmlAttributes(language?: Language): {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly 'data-uilm': Language
  readonly 'data-uilm-time-zone'?: string
}
`
}

/** Declarations of the functions for servers. */
export const localizerTypes: string = `/** Language in addition to the current one: the language of a request. */
export interface Localizer {
  readonly language: Language
  /** Returns a message in this language: \`localizer.translate(WELCOME, { name })\`. */
  readonly translate: <A extends readonly unknown[], R>(message: (...args: A) => R, ...args: A) => R
  /**
   * Runs \`work\` with every message in this language. With AsyncLocalStorage (Node, Bun,
   * Deno, workers with Node.js compatibility) this includes everything that it awaits.
   * Without it, a \`work\` that returns a promise throws a TypeError.
   */
  readonly run: <T>(work: () => T) => T
}
/**
 * Creates a localizer for a request and loads its language. Concurrent requests do not
 * share a language or time zone.
 *
 * @throws RangeError for an unknown language or time zone.
 */
export function createLocalizer(
  language: Language,
  options?: { readonly timeZone?: string | undefined },
): Promise<Localizer>
`

/**
 * Emits the runtime declarations of a program without a bundler, including those for
 * servers.
 */
export const emitProgramRuntimeTypes = (config: RuntimeTypesConfig): string =>
  `${emitRuntimeTypes(config)}
${localizerTypes}`
