import type { CatalogLanguage } from '../catalog.ts'
import { isRightToLeft, languageAliases } from '../languages.ts'
import { runtimeTemplate } from '../runtime-template.ts'
import { jsonLiteral, stringLiteral } from './literal.ts'

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
