import type { PseudoLanguages } from '../model/pseudo.ts'
import type { MarkupFramework, MarkupOptions } from '../syntax/tags.ts'
import { isAbsolute, resolve } from 'node:path'
import { checkOptions, ConfigError, type LocalizationFamily, readChoice } from '@servicekit/client'
import { readServiceVariables } from '@servicekit/client/environment'
import { type ServiceOptions, serviceOptionNames } from '@servicekit/contract/service'
import { type FolderOptions, type ResolvedFolder, resolveFolder } from './folder-options.ts'
import { invalidValue, isLoopbackUrl, isObject, languageCodeProblem } from '@servicekit/core'
import type { WriteTarget } from './key-writer.ts'
import { checkWriteTarget } from './check-target.ts'
import type { MessageSyntax } from '../syntax/message.ts'
import type { CacheStorage } from './cache-storage.ts'

/**
 * Options for translations, shared by config file, plugin and commands. Those of the service are
 * by default the environment variables SERVICEKIT_URL, SERVICEKIT_PROJECT_KEY, SERVICEKIT_PRESET
 * and SERVICEKIT_KEY_HEADER.
 */
export interface CatalogOptions extends Partial<ServiceOptions> {
  /** Folder that other paths are relative to; the working directory by default. */
  readonly root?: string
  /**
   * Folder of translation files that is the source of truth, instead of a service: nothing is
   * fetched or copied. A path stands for files named `<language>/<module>.json`.
   */
  readonly from?: string | FolderOptions
  /**
   * Target of new keys: `platform`, a folder, an import route, or functions of your own. By
   * default the folder of the option `from`, or the local platform. Not needed to read messages.
   */
  readonly writeTo?: WriteTarget
  /** Route family of the service; `localization` by default. */
  readonly family?: LocalizationFamily
  /** Codes of the languages to pull; all languages of the project by default. */
  readonly languages?: readonly string[]
  /** Names of the modules to pull; all modules of the project by default. */
  readonly modules?: readonly string[]
  /** Default language; by default the first one that the source marks as default. */
  readonly defaultLanguage?: string
  /** Fallback languages by language: `{ 'de-AT': ['de-DE', 'en-US'] }`. */
  readonly fallback?: Readonly<Record<string, readonly string[]>>
  /**
   * Parameter syntax: `double-brace` (`{{name}}`) by default, `single-brace` (`{name}`),
   * `percent-brace` (`%{name}`), `icu`, or `vue-i18n` (`{name}`, and plurals such as
   * `one car | {n} cars`).
   */
  readonly syntax?: MessageSyntax
  /**
   * Elements in messages: `<link>terms</link>` becomes the parameter `link`, a function. The
   * framework that renders them, or it with further options. By default tags are text.
   */
  readonly markup?: MarkupFramework | MarkupOptions
  /**
   * Names by module that are no plurals: `{ orders: ['type'] }` if `type_one` and `type_other` are
   * two messages. By default they are the forms of the message `type`.
   */
  readonly noPlural?: Readonly<Record<string, readonly string[]>>
  /** Treats translations of only white space as missing; false by default. */
  readonly blankIsMissing?: boolean
  /**
   * Adds pseudo-locales generated from the default language, which reveal untranslated
   * and truncated translations: `true` for `en-XA` (accents, a third longer) and `ar-XB` (right
   * to left), or the codes to use.
   */
  readonly pseudo?: boolean | { readonly ltr?: string; readonly rtl?: string }
  /**
   * Shows the keys instead of the translations, for tests that should not depend on them; false by
   * default.
   */
  readonly showKeys?: boolean
  /** Folder of the committed snapshot; `uilm` by default. */
  readonly snapshotDir?: string
  /** File with the hash of each snapshot file; `uilm.lock.json` by default. */
  readonly lockFile?: string
  /**
   * Folder of generated declarations and caches, which should be gitignored;
   * `.servicekit` by default.
   */
  readonly outDir?: string
  /** Maximum number of concurrent requests; 8 by default. */
  readonly concurrency?: number
  /**
   * Maximum number of requests per minute; 100 by default, unlimited for a service on
   * this machine.
   */
  readonly requestsPerMinute?: number
  /** Request timeout in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number
  /** Maximum decoded size of a translation file in bytes; 16 MiB by default. */
  readonly maxBytes?: number
  /**
   * Shared cache of fetched files by content hash: a folder, a URL with http, https,
   * redis or s3, or a storage of `unstorage`. None by default.
   */
  readonly cache?: string | CacheStorage
  /**
   * Storage key under which the browser stores the language; `uilm-language` by default.
   */
  readonly storageKey?: string
}

/** Options that have no default. */
type OptionalName =
  | keyof ServiceOptions
  | 'from'
  | 'writeTo'
  | 'languages'
  | 'modules'
  | 'defaultLanguage'
  | 'cache'

/** Options with their defaults. */
export type ResolvedCatalogOptions = Required<
  Omit<CatalogOptions, OptionalName | 'pseudo' | 'markup'>
> & {
  readonly [Name in Exclude<OptionalName, 'from'>]: CatalogOptions[Name] | undefined
} & {
  readonly from: ResolvedFolder | undefined
} & { readonly pseudo: PseudoLanguages; readonly markup: MarkupOptions | undefined }

/** Environment variables that options are read from. */
export type Environment = Readonly<Record<string, string | undefined>>

export const catalogOptionNames = [
  'root',
  ...serviceOptionNames,
  'from',
  'writeTo',
  'family',
  'languages',
  'modules',
  'defaultLanguage',
  'fallback',
  'syntax',
  'markup',
  'noPlural',
  'blankIsMissing',
  'pseudo',
  'showKeys',
  'snapshotDir',
  'lockFile',
  'outDir',
  'concurrency',
  'requestsPerMinute',
  'timeoutMs',
  'maxBytes',
  'cache',
  'storageKey',
] as const satisfies readonly (keyof CatalogOptions)[]

/**
 * Validates the options and adds defaults.
 *
 * @throws ConfigError for an unknown option (with a suggestion) or an invalid value.
 */
export function resolveCatalogOptions(
  options: CatalogOptions,
  environment: Environment,
): ResolvedCatalogOptions {
  checkOptions('translation option', options, catalogOptionNames)
  const root = resolve(options.root ?? '.')
  const within = (path: string): string => (isAbsolute(path) ? path : resolve(root, path))
  const variables = readServiceVariables(environment)
  const { baseUrl = variables.baseUrl } = options
  return {
    root,
    baseUrl,
    projectKey: options.projectKey ?? variables.projectKey,
    preset: options.preset ?? variables.preset,
    keyHeader: options.keyHeader ?? variables.keyHeader,
    headers: withoutCredentials(options.headers),
    from: options.from === undefined ? undefined : resolveFolder(options.from, within),
    writeTo: checkWriteTarget(options.writeTo, within),
    family: readChoice('family', options.family ?? 'localization', ['localization', 'uilm']),
    languages: names('languages', options.languages),
    modules: names('modules', options.modules),
    defaultLanguage: options.defaultLanguage,
    ...resolveMessageOptions(options),
    snapshotDir: within(options.snapshotDir ?? 'uilm'),
    lockFile: within(options.lockFile ?? 'uilm.lock.json'),
    outDir: within(options.outDir ?? '.servicekit'),
    concurrency: count('concurrency', options.concurrency ?? 8),
    requestsPerMinute: count(
      'requestsPerMinute',
      options.requestsPerMinute ??
        (options.from !== undefined || (baseUrl !== undefined && isLoopbackUrl(baseUrl))
          ? Number.POSITIVE_INFINITY
          : 100),
    ),
    timeoutMs: count('timeoutMs', options.timeoutMs ?? 30_000),
    maxBytes: count('maxBytes', options.maxBytes ?? 16 * 1024 * 1024),
    cache: options.cache,
    storageKey: options.storageKey ?? 'uilm-language',
  }
}

/**
 * Returns the headers of the service.
 *
 * @throws ConfigError for a header that carries credentials: the options are committed.
 */
export function withoutCredentials(headers: CatalogOptions['headers']): CatalogOptions['headers'] {
  const secret = Object.keys(headers ?? {}).find((name) =>
    /^(?:proxy-)?authorization$|cookie|token|secret|password/i.test(name),
  )
  if (secret === undefined) return headers
  throw credentialsInConfig(`header ${secret}`)
}

/** Creates the error for credentials in an option. */
export const credentialsInConfig = (name: string): ConfigError =>
  new ConfigError(`Credentials do not belong in a configuration (${name})`, {
    help: 'Set the environment variables SERVICEKIT_CLIENT_ID and SERVICEKIT_CLIENT_SECRET, or SERVICEKIT_TOKEN.',
  })

/** Options that decide how messages are parsed and chosen. */
type MessageOption =
  | 'fallback'
  | 'syntax'
  | 'markup'
  | 'noPlural'
  | 'blankIsMissing'
  | 'pseudo'
  | 'showKeys'

/**
 * Validates the options of messages and adds defaults.
 *
 * @throws ConfigError for an invalid value.
 */
export function resolveMessageOptions({
  fallback = {},
  syntax = 'double-brace',
  markup,
  noPlural = {},
  blankIsMissing = false,
  pseudo,
  showKeys = false,
}: Pick<CatalogOptions, MessageOption>): Pick<ResolvedCatalogOptions, MessageOption> {
  if (!isObject(fallback)) throw new ConfigError('fallback must be an object')
  for (const [code, codes] of Object.entries(fallback)) names(`fallback.${code}`, codes)
  if (!isObject(noPlural)) throw new ConfigError('noPlural must be an object')
  for (const [module, bases] of Object.entries(noPlural)) names(`noPlural.${module}`, bases)
  return {
    fallback,
    showKeys: readChoice('showKeys', showKeys, [true, false]),
    syntax: readChoice('syntax', syntax, [
      'double-brace',
      'single-brace',
      'percent-brace',
      'icu',
      'vue-i18n',
    ]),
    markup: markupOptions(markup),
    noPlural,
    blankIsMissing: readChoice('blankIsMissing', blankIsMissing, [true, false]),
    pseudo: pseudoLanguages(pseudo),
  }
}

function markupOptions(markup: CatalogOptions['markup']): MarkupOptions | undefined {
  if (markup === undefined) return undefined
  const options = typeof markup === 'string' ? { framework: markup } : markup
  checkOptions('markup option', options, ['framework', 'selfClosing', 'numbered'])
  const frameworks = ['plain', 'react', 'vue', 'svelte', 'solid'] as const
  return { ...options, framework: readChoice('markup', options.framework, frameworks) }
}

function pseudoLanguages(pseudo: CatalogOptions['pseudo']): PseudoLanguages {
  if (pseudo === undefined || pseudo === false) return {}
  if (pseudo === true) return { ltr: 'en-XA', rtl: 'ar-XB' }
  if (!isObject(pseudo)) throw new ConfigError('pseudo must be true or an object')
  checkOptions('pseudo option', pseudo, ['ltr', 'rtl'])
  for (const code of Object.values(pseudo)) {
    if (typeof code === 'string' && isPseudoCode(code)) continue
    throw new ConfigError(invalidValue('pseudo', 'an object of language codes', code))
  }
  return pseudo
}

const isPseudoCode = (code: string): boolean =>
  languageCodeProblem(code) === undefined && /^[A-Za-z]{2,3}(?:-|$)/.test(code)

function count(name: string, value: number): number {
  if ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 1) return value
  throw new ConfigError(invalidValue(name, 'a positive integer', value))
}

/** A single string instead of a list would be iterated letter by letter. */
function names(name: string, value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')) {
    return value as readonly string[]
  }
  throw new ConfigError(`${name} must be a list of names`, {
    help: `Write it as ${name}: ["…", "…"].`,
  })
}
