import { ServicekitError } from '@servicekit/client'
import { byCodePoint, fileClash, languageCodeProblem } from '@servicekit/core'
import { type Catalog, type CatalogModule, keysOf } from './catalog.ts'
import { fallbackChain } from './fallback.ts'
import type { ParameterType } from '../syntax/message.ts'
import { identifierOf } from './names.ts'
import { pseudoKindOf, type PseudoLanguages, withPseudo } from './pseudo.ts'
import {
  isPlain,
  parametersOfTranslation,
  type ParseOptions,
  parseTranslation,
  pseudoTranslation,
  type Translation,
} from './parse-translation.ts'
import { passedParameters, unusableParameters } from './passed-parameters.ts'
import { groupKeys, type KeyGroup, plainGroup } from '../syntax/plural.ts'
import type { Problem } from './problem.ts'
import { noTags, type TagNames } from '../syntax/tags.ts'

/** Options that influence messages in addition to the translations. */
export interface ModelOptions extends ParseOptions {
  /**
   * Fallback languages by language. By default, related languages and then the default
   * language.
   */
  readonly fallback?: Readonly<Record<string, readonly string[]>>
  /** Pseudo-locales, generated from the default language. */
  readonly pseudo?: PseudoLanguages
  /** Shows keys instead of translations. */
  readonly showKeys?: boolean
  /** Names by module that are no plurals: `type` if `type_one` and `type_other` are two messages. */
  readonly noPlural?: Readonly<Record<string, readonly string[]>>
}

/** Returns the options of messages among those of a project, without those that change nothing. */
export const modelOptions = ({
  syntax,
  fallback,
  markup,
  noPlural,
  blankIsMissing,
  pseudo,
  showKeys,
}: ModelOptions): ModelOptions => ({
  syntax,
  ...(fallback ? { fallback } : {}),
  ...(markup ? { markup } : {}),
  ...(noPlural && Object.keys(noPlural).length > 0 ? { noPlural } : {}),
  ...(blankIsMissing ? { blankIsMissing } : {}),
  ...(pseudo ? { pseudo } : {}),
  ...(showKeys ? { showKeys } : {}),
})

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
  /** Tags, which are parameters too; for functions that create the elements. */
  readonly tags: TagNames
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

export interface Model {
  readonly catalog: Catalog
  readonly options: ModelOptions
  readonly modules: readonly ModuleModel[]
  /** Name clashes, which prevent code generation. */
  readonly problems: readonly Problem[]
}

/**
 * Builds the messages of a catalog, with names and parameters. Pure.
 *
 * @throws ServicekitError CATALOG_INVALID for a language code that is not one. All generated files
 * are made of a model, so that no file name contains such a code, wherever it came from.
 */
export function buildModel(plain: Catalog, options: ModelOptions): Model {
  const catalog = withPseudo(plain, options.pseudo ?? {})
  for (const { code } of catalog.languages) {
    const problem = languageCodeProblem(code)
    if (!problem) continue
    throw new ServicekitError(`Invalid language code "${code}"`, {
      code: 'CATALOG_INVALID',
      help: `A language code ${problem}.`,
    })
  }
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
  const noPlural = Object.hasOwn(options.noPlural ?? {}, source.name)
    ? options.noPlural![source.name]
    : []
  for (const group of groupKeys(keysOf(source), noPlural)) {
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
      const first = firstTranslation(catalog, translations)
      const types = first
        ? parametersOfTranslation(first, group.plural !== undefined)
        : new Map<string, ParameterType>()
      return {
        key: group.key,
        name,
        params: [...types.keys()],
        types: narrow(types),
        tags: first?.tags ?? noTags,
        plural: group.plural !== undefined,
        ordinal: group.ordinal,
        group,
        // A message without a translation shows its key.
        translations: options.showKeys ? noTranslations : translations,
      }
    }
    const message = messageOf(group)
    messages.push(
      group.base === undefined ? message : { ...message, base: messageOf(plainGroup(group.base)) },
    )
  }
  messages.sort((a, b) => byCodePoint(a.key, b.key))
  return { name: source.name, messages, source }
}

/**
 * Returns the first translation of a message in a fallback chain that fits its calls, or else the
 * text of an invalid one. Returns undefined if there is none; the key is then shown.
 */
export function findTranslation(
  message: MessageModel,
  chain: readonly string[],
): Translation | undefined {
  let invalid: Translation | undefined
  for (const language of chain) {
    const found = message.translations.get(language)
    if (found && fitsCalls(found, message)) return found
    if (found?.isInvalid && hasTags(found, message.tags)) invalid ??= found
  }
  return invalid
}

/** Returns whether a translation is valid, has the tags of its message, and no other parameters. */
export const fitsCalls = (translation: Translation, message: MessageModel): boolean =>
  !translation.isInvalid &&
  hasTags(translation, message.tags) &&
  (isPlain(translation) || unusableParameters(translation, passedParameters(message)).length === 0)

/** Compares the tags of a translation with those that its message needs. */
function hasTags({ tags: actual = noTags }: Translation, expected: TagNames): boolean {
  if (actual.size !== expected.size || expected.size === 0) return actual.size === expected.size
  return [...expected].every(([name, hasChildren]) => actual.get(name) === hasChildren)
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

/** Returns the tags of a message and of its base, which a call must create. */
export const tagsOf = ({ tags, base }: MessageModel): TagNames =>
  base && base.tags.size > 0 ? new Map([...base.tags, ...tags]) : tags

/**
 * Returns the required arguments of a call. The given ones decide between a plural and
 * its base message.
 */
export function expectedArguments(
  message: MessageModel,
  given: readonly string[],
): readonly string[] {
  const used = message.base && !given.includes('count') ? message.base : message
  const tags = tagsOf(message)
  if (!used.plural && tags.size === 0) return used.params
  return [...(used.plural ? ['count'] : []), ...used.params, ...tags.keys()]
}

/** Returns the translation in the default language, or in the first one that has one. */
function firstTranslation(
  { languages }: Catalog,
  translations: MessageModel['translations'],
): Translation | undefined {
  for (const { code } of languages) {
    const translation = translations.get(code)
    if (translation) return translation
  }
  return undefined
}

const noTranslations: MessageModel['translations'] = { get: () => undefined }

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
