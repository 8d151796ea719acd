import type { CatalogLanguage } from '../catalog.ts'
import { isRightToLeft, kinOf } from '../languages.ts'
import { runtimeTemplate } from '../runtime-template.ts'
import { stringLiteral } from './literal.ts'

/** Project configuration of the runtime. */
export interface RuntimeConfig {
  readonly languages: readonly CatalogLanguage[]
  readonly defaultLanguage: string
  /** Storage key under which the browser stores the chosen language. */
  readonly storageKey: string
  /** Initial language of every page; detected from the visitor by default. */
  readonly begin?: string | undefined
}

/** Emits the runtime module with the configuration of the project. */
export function emitRuntime(config: RuntimeConfig): string {
  const codes = config.languages.map(({ code }) => code)
  const list = (all: readonly string[]): string =>
    `[${all.map((one) => stringLiteral(one)).join(',')}]`
  const names = config.languages
    .map(({ code, name }) => `[${stringLiteral(code)}]:${stringLiteral(name)}`)
    .join(',')
  const kin = Object.entries(kinOf(codes)).map(
    ([code, language]) => `${stringLiteral(code)}:${stringLiteral(language)}`,
  )
  const values: Readonly<Record<string, string>> = {
    LANGUAGES: list(codes),
    DEFAULT: stringLiteral(config.defaultLanguage),
    BEGIN: config.begin === undefined ? 'detectLanguage()' : stringLiteral(config.begin),
    NAMES: `({${names}})`,
    RTL: list(codes.filter(isRightToLeft)),
    // No prototype: visitors may request languages named like its members.
    KIN: `({__proto__:null,${kin.join(',')}})`,
    STORAGE_KEY: stringLiteral(config.storageKey),
  }
  // Most projects have none, and every visitor downloads this code.
  const template =
    kin.length > 0 ? runtimeTemplate : runtimeTemplate.replace(/.*__UILM_KIN__.*/, '')
  return template.replaceAll(/__UILM_([A-Z_]+?)__/g, (_, name: string) => values[name]!)
}

/** Emits the declarations of the runtime. `Language` is the union of the language codes. */
export function emitRuntimeTypes(config: Pick<RuntimeConfig, 'languages'>): string {
  const union = config.languages.map(({ code }) => stringLiteral(code)).join(' | ') || 'never'
  return `/** Code of a language of this project. */
export type Language = ${union}

/** Value of a parameter. */
export type Value = string | number

/** A text without parameters. */
export type Message = () => string

/** A text with the parameters \`P\`. */
export type MessageWith<P extends string> = (args: { readonly [name in P]: Value }) => string

/** A text that depends on a number; \`P\` names the other parameters. */
export type PluralMessage<P extends string = never> = (
  args: { readonly count: number } & { readonly [name in P]: Value },
) => string

/** A text with the arguments \`A\`: numbers, dates and lists shown as the language shows them. */
export type MessageOf<A> = (args: A) => string

/** A plural whose key has a text of its own, which is shown where no number is given. */
export type PluralOrPlain<P extends readonly unknown[], A> = (...args: P | [args: A]) => string

/** Codes of the languages that there are, the default first. */
export declare const languages: readonly Language[]
/** The language in which a text without translation is shown. */
export declare const defaultLanguage: Language
/** Readable name of a language. */
export declare function languageName(language: Language): string
/** \`rtl\` for languages that are written from right to left. */
export declare function directionOf(language: Language): 'ltr' | 'rtl'
/** The language that a new visitor sees: chosen last, else the browser's, else the default. */
export declare function detectLanguage(): Language
/** The language that is shown. */
export declare function getLanguage(): Language
/**
 * Shows another language once its texts are there; of several calls at once the
 * last one counts. Rejects, and changes nothing, when they cannot be loaded.
 */
export declare function setLanguage(language: Language): Promise<void>
/** Calls \`listener\` after every change of language or text; the result ends that. */
export declare function subscribe(listener: () => void): () => void
/** A number that grows with every change of language or text. */
export declare function getChanges(): number
`
}

/**
 * Emits the runtime declarations of a program without a bundler, including those for
 * servers.
 */
export const emitProgramRuntimeTypes = (config: Pick<RuntimeConfig, 'languages'>): string =>
  `${emitRuntimeTypes(config)}
/** A language beside the one that is shown: that of one request. */
export interface Localizer {
  readonly language: Language
  /** A text in this language: \`localizer.text(WELCOME, { name })\`. */
  readonly text: <A extends readonly unknown[]>(message: (...args: A) => string, ...args: A) => string
  /**
   * Runs \`work\` with every text in this language; with AsyncLocalStorage (Node, Bun,
   * Deno, workers with Node's compatibility) in all that it awaits, too. Elsewhere a
   * \`work\` that answers a promise is a TypeError.
   */
  readonly run: <T>(work: () => T) => T
}
/**
 * Loads a language for a request, and for all after it. Requests never share a
 * language. @throws RangeError for a language that there is not.
 */
export declare function createLocalizer(language: Language): Promise<Localizer>
`
