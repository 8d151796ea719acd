import { type Catalog, type CatalogModule, keysOf } from './catalog.ts'
import { fallbackChain } from './fallback.ts'
import {
  type MessageParts,
  type MessageSyntax,
  type ParameterType,
  parameterTypesOf,
  parseMessage,
} from './message.ts'
import { fileClash, identifierOf } from './names.ts'
import type { Translations } from './normalise.ts'
import type { PseudoLanguages } from './options.ts'
import { groupKeys, type KeyGroup, plainGroup, type PluralCategory } from './plural.ts'
import type { Problem } from './problem.ts'
import { pseudoKindOf, pseudoParts, withPseudo } from './pseudo.ts'

/** Options that influence messages in addition to the translations. */
export interface ModelOptions {
  readonly syntax: MessageSyntax
  /**
   * Fallback languages by language. By default, related languages and then the default
   * language.
   */
  readonly fallback?: Readonly<Record<string, readonly string[]>>
  /** Treats translations of only white space as missing. */
  readonly blankIsMissing?: boolean
  /** Pseudo-locales, generated from the default language. */
  readonly pseudo?: PseudoLanguages
}

/** Message of a module, exported under one name. */
export interface MessageModel {
  /** Key, or the common part of plural keys. */
  readonly key: string
  /** Export name. */
  readonly name: string
  /** Parameter names, without the `count` of a plural. */
  readonly params: readonly string[]
  /** Types of the parameters whose type is not `value`. */
  readonly types: ReadonlyMap<string, ParameterType>
  readonly plural: boolean
  /** `true` for an ordinal plural: first, second, third. */
  readonly ordinal: boolean
  readonly group: KeyGroup
  /** Translations by language, without fallback. Each is parsed at most once. */
  readonly translations: { readonly get: (language: string) => Translation | undefined }
  /**
   * Message of the key itself if it has plural forms too, used when no number is given:
   * `ITEMS()` if there are `ITEMS`, `ITEMS_one` and `ITEMS_other`.
   */
  readonly base?: MessageModel
}

export interface ModuleModel {
  readonly name: string
  readonly messages: readonly MessageModel[]
  readonly source: CatalogModule
}

/** Parsed translation of a message. */
export interface Translation {
  readonly language: string
  readonly other: MessageParts
  /** Plural forms other than `other`; empty for a message without plural. */
  readonly forms: ReadonlyMap<PluralCategory, MessageParts>
}

export interface Model {
  readonly catalog: Catalog
  readonly options: ModelOptions
  readonly modules: readonly ModuleModel[]
  /** Name clashes, which prevent code generation. */
  readonly problems: readonly Problem[]
}

/** Builds the messages of a catalog, with names and parameters. Pure. */
export function buildModel(plain: Catalog, options: ModelOptions): Model {
  const catalog = withPseudo(plain, options.pseudo ?? {})
  const problems: Problem[] = moduleProblems(catalog)
  const modules = catalog.modules.map((module) => buildModule(catalog, module, options, problems))
  return { catalog, options, modules, problems }
}

/** Builds the messages of one module. Clashes are added to `problems`. */
function buildModule(
  catalog: Catalog,
  source: CatalogModule,
  options: ModelOptions,
  problems: Problem[],
): ModuleModel {
  const taken = new Map<string, string>()
  const messages: MessageModel[] = []
  for (const group of groupKeys(keysOf(source))) {
    const name = identifierOf(group.key)
    const other = taken.get(name)
    if (other !== undefined) {
      problems.push({
        severity: 'error',
        code: 'IDENTIFIER_CLASH',
        module: source.name,
        key: group.key,
        message: `has the same export name ${name} as key "${other}"; rename one of them`,
      })
      continue
    }
    taken.set(name, group.key)
    const messageOf = (group: KeyGroup): MessageModel => {
      const translations = parseLazily(catalog, source, group, options)
      const types = parametersInDefault(catalog, group, translations)
      return {
        key: group.key,
        name,
        params: [...types.keys()],
        types: narrow(types),
        plural: group.plural !== undefined,
        ordinal: group.ordinal,
        group,
        translations,
      }
    }
    const message = messageOf(group)
    messages.push(
      group.base === undefined ? message : { ...message, base: messageOf(plainGroup(group.base)) },
    )
  }
  messages.sort((a, b) => (a.key < b.key ? -1 : 1))
  return { name: source.name, messages, source }
}

/**
 * Returns the first translation of a message in a fallback chain. Returns undefined if
 * there is none; the key is then shown.
 */
export function findTranslation(
  { translations }: Pick<MessageModel, 'translations'>,
  chain: readonly string[],
): Translation | undefined {
  for (const language of chain) {
    const found = translations.get(language)
    if (found) return found
  }
  return undefined
}

type Chains = ReadonlyMap<string, readonly string[]>

/**
 * Returns the fallback chain of each language. Cached per catalog, because it is needed
 * for every message.
 */
export function chainsOf(model: Pick<Model, 'catalog' | 'options'>): Chains {
  const { catalog, options } = model
  const known = chains.get(catalog)
  if (known?.options === options) return known.chains
  const project = {
    languages: catalog.languages.map(({ code }) => code),
    defaultLanguage: catalog.defaultLanguage,
    ...(options.fallback === undefined ? {} : { fallback: options.fallback }),
  }
  const found = new Map(project.languages.map((code) => [code, fallbackChain(code, project)]))
  chains.set(catalog, { options, chains: found })
  return found
}

const chains = new WeakMap<Catalog, { readonly options: ModelOptions; readonly chains: Chains }>()

/** Returns the translations of a message, each parsed on first use. */
function parseLazily(
  catalog: Pick<Catalog, 'defaultLanguage'>,
  module: CatalogModule,
  group: KeyGroup,
  options: ModelOptions,
): MessageModel['translations'] {
  const parsed = new Map<string, Translation>()
  const parse = (language: string): Translation | undefined => {
    const translations = module.translations.get(language)
    if (translations) return parseTranslation(translations, group, language, options)
    const kind = pseudoKindOf(language, options.pseudo)
    return kind && pseudoTranslation(get(catalog.defaultLanguage), kind)
  }
  const get = (language: string): Translation | undefined => {
    const known = parsed.get(language)
    if (known) return known
    const translation = parse(language)
    // Nine of ten translations have no parameters. Keeping them would take more memory
    // than all translation files.
    if (translation && !isPlain(translation)) parsed.set(language, translation)
    return translation
  }
  return { get }
}

const isPlain = ({ other, forms }: Translation): boolean =>
  forms.size === 0 && other.length === 1 && typeof other[0] === 'string'

function parseTranslation(
  translations: Translations,
  group: KeyGroup,
  language: string,
  { syntax, blankIsMissing }: ModelOptions,
): Translation | undefined {
  const read = (key: string | undefined): string | undefined => {
    const text = key === undefined ? undefined : translations.get(key) || undefined
    return text !== undefined && blankIsMissing && text.trim() === '' ? undefined : text
  }
  if (!group.plural) {
    const text = read(group.key)
    return text === undefined
      ? undefined
      : { language, other: parseMessage(text, syntax), forms: noForms }
  }
  const other = read(group.plural.get('other')) ?? read(group.base)
  if (other === undefined) return undefined
  const forms = new Map<PluralCategory, MessageParts>()
  for (const [category, key] of group.plural) {
    const text = category === 'other' ? undefined : read(key)
    if (text !== undefined) forms.set(category, parseMessage(text, syntax))
  }
  return { language, other: parseMessage(other, syntax), forms }
}

const noForms: ReadonlyMap<PluralCategory, MessageParts> = new Map()

const pseudoTranslation = (
  translation: Translation | undefined,
  kind: 'ltr' | 'rtl',
): Translation | undefined =>
  translation && {
    ...translation,
    other: pseudoParts(translation.other, kind),
    forms: new Map(
      [...translation.forms].map(([category, parts]) => [category, pseudoParts(parts, kind)]),
    ),
  }

/**
 * Returns the parameters of all forms of a translation with their types, without the
 * `count` of a plural.
 */
export function parametersOfTranslation(
  { other, forms }: Translation,
  plural: boolean,
): ReadonlyMap<string, ParameterType> {
  const types = new Map(parameterTypesOf(other))
  for (const form of forms.values()) parameterTypesOf(form, types)
  if (plural) types.delete('count')
  return types
}

/**
 * Returns the required arguments of a call. The given ones decide between a plural and
 * its base message.
 */
export function expectedArguments(
  message: MessageModel,
  given: readonly string[],
): readonly string[] {
  const used = message.base && !given.includes('count') ? message.base : message
  return used.plural ? ['count', ...used.params] : used.params
}

/**
 * Returns the parameters in the default language, or in the first language that has a
 * translation.
 */
function parametersInDefault(
  { languages }: Catalog,
  group: KeyGroup,
  translations: MessageModel['translations'],
): ReadonlyMap<string, ParameterType> {
  for (const { code } of languages) {
    const translation = translations.get(code)
    if (translation) return parametersOfTranslation(translation, group.plural !== undefined)
  }
  return new Map()
}

/** Most messages have no narrowed types and share one empty map. */
function narrow(types: ReadonlyMap<string, ParameterType>): ReadonlyMap<string, ParameterType> {
  if (types.size === 0) return noTypes
  const found = [...types].filter(([, type]) => type !== 'value')
  return found.length === 0 ? noTypes : new Map(found)
}

const noTypes: ReadonlyMap<string, ParameterType> = new Map()

function moduleProblems(catalog: Catalog): Problem[] {
  const problems: Problem[] = []
  const clash = fileClash(catalog.modules.map(({ name }) => name))
  if (clash) {
    problems.push({
      severity: 'error',
      code: 'MODULE_CLASH',
      module: clash[1],
      message: `has the same file name as module "${clash[0]}" on case-insensitive file systems; rename one`,
    })
  }
  return problems
}
