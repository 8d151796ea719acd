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
import type { PseudoLanguages } from './options.ts'
import { groupKeys, type KeyGroup, plainGroup, type PluralCategory } from './plural.ts'
import type { Problem } from './problem.ts'
import { pseudoKindOf, pseudoParts, withPseudo } from './pseudo.ts'

/** What shapes the messages beside the texts. */
export interface ModelOptions {
  readonly syntax: MessageSyntax
  /** Languages tried for a missing text, by language; relatives and the default otherwise. */
  readonly fallback?: Readonly<Record<string, readonly string[]>>
  /** Whether a text of nothing but white space counts as missing. */
  readonly blankIsMissing?: boolean
  /** Languages made of the default one. */
  readonly pseudo?: PseudoLanguages
}

/** Message of a module: what one exported name stands for. */
export interface MessageModel {
  /** Key, or the shared part of plural keys. */
  readonly key: string
  /** Export name. */
  readonly name: string
  /** Names of the parameters, `count` of a plural left out. */
  readonly params: readonly string[]
  /** What may stand for those parameters that take more or less than text and numbers. */
  readonly types: ReadonlyMap<string, ParameterType>
  readonly plural: boolean
  /** Whether the plural is one of places: first, second, third. */
  readonly ordinal: boolean
  readonly group: KeyGroup
  /**
   * The message of the key itself beside its plural forms, shown where no number is
   * given: with `ITEMS` beside `ITEMS_one` and `ITEMS_other`, it is `ITEMS()`.
   */
  readonly base?: MessageModel
}

export interface ModuleModel {
  readonly name: string
  readonly messages: readonly MessageModel[]
  readonly source: CatalogModule
}

/** What a message says in one language, after fallback. */
export interface Wording {
  /** Language that the text was found in. */
  readonly language: string
  readonly other: MessageParts
  /** Forms of a plural beside `other`; empty for a plain text. */
  readonly forms: ReadonlyMap<PluralCategory, MessageParts>
}

export interface Model {
  readonly catalog: Catalog
  readonly options: ModelOptions
  readonly modules: readonly ModuleModel[]
  /** Clashes of names: what makes emitting impossible. */
  readonly problems: readonly Problem[]
}

/** Turns a catalog into messages with names and parameters. Pure. */
export function buildModel(plain: Catalog, options: ModelOptions): Model {
  const catalog = withPseudo(plain, options.pseudo ?? {})
  const problems: Problem[] = moduleProblems(catalog)
  const modules = catalog.modules.map((module) => buildModule(catalog, module, options, problems))
  return { catalog, options, modules, problems }
}

/** The messages of one module; clashes go to `problems`. */
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
        message: `has the same name ${name} as the key "${other}"; rename one of them`,
      })
      continue
    }
    taken.set(name, group.key)
    const messageOf = (group: KeyGroup): MessageModel => {
      const types = parametersInDefault(catalog, source, group, options)
      return {
        key: group.key,
        name,
        params: [...types.keys()],
        types: narrow(types),
        plural: group.plural !== undefined,
        ordinal: group.ordinal,
        group,
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
 * What `message` says in `language`: the first language of the fallback chain
 * that has it. Undefined where none has; the key is shown then.
 */
export function wordingOf(
  model: Pick<Model, 'catalog' | 'options'>,
  module: CatalogModule,
  group: KeyGroup,
  chain: readonly string[],
): Wording | undefined {
  for (const language of chain) {
    const found = ownWording(model, module, group, language)
    if (found) return found
  }
  return undefined
}

type Chains = ReadonlyMap<string, readonly string[]>

/** Fallback chain of each language: the same for all messages of a model, and asked for with each. */
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

/** What a message says in exactly this language; undefined where nobody has written it. */
export function ownWording(
  model: {
    readonly catalog: Pick<Catalog, 'defaultLanguage'>
    readonly options: ModelOptions
  },
  module: CatalogModule,
  group: KeyGroup,
  language: string,
): Wording | undefined {
  const { syntax, blankIsMissing, pseudo } = model.options
  const texts = module.texts.get(language)
  if (!texts) {
    const kind = pseudoKindOf(language, pseudo)
    return (
      kind && pseudoWording(ownWording(model, module, group, model.catalog.defaultLanguage), kind)
    )
  }
  const read = (key: string | undefined): string | undefined => {
    const text = key === undefined ? undefined : texts.get(key) || undefined
    return text !== undefined && blankIsMissing && text.trim() === '' ? undefined : text
  }
  if (!group.plural) {
    const text = read(group.key)
    return text === undefined
      ? undefined
      : { language, other: parseMessage(text, syntax), forms: none }
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

const none: ReadonlyMap<PluralCategory, MessageParts> = new Map()

const pseudoWording = (wording: Wording | undefined, kind: 'ltr' | 'rtl'): Wording | undefined =>
  wording && {
    ...wording,
    other: pseudoParts(wording.other, kind),
    forms: new Map(
      [...wording.forms].map(([category, parts]) => [category, pseudoParts(parts, kind)]),
    ),
  }

/** Parameters of all forms of a wording and what they take, `count` of a plural left out. */
export function parametersOfWording(
  wording: Wording,
  plural: boolean,
): ReadonlyMap<string, ParameterType> {
  const types = new Map(parameterTypesOf(wording.other))
  for (const form of wording.forms.values()) parameterTypesOf(form, types)
  if (plural) types.delete('count')
  return types
}

/** Names of the arguments that a call has to give, by those that it gives. */
export function expectedArguments(
  message: MessageModel,
  given: readonly string[],
): readonly string[] {
  const asked = message.base && !given.includes('count') ? message.base : message
  return asked.plural ? ['count', ...asked.params] : asked.params
}

/** The default language decides the parameters; where it is silent, the first that is not. */
function parametersInDefault(
  catalog: Catalog,
  module: CatalogModule,
  group: KeyGroup,
  options: ModelOptions,
): ReadonlyMap<string, ParameterType> {
  for (const { code } of catalog.languages) {
    const wording = ownWording({ catalog, options }, module, group, code)
    if (wording) return parametersOfWording(wording, group.plural !== undefined)
  }
  return new Map()
}

/** Most messages have none, and share the one empty map. */
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
      message: `has the same file name as the module "${clash[0]}" where case is ignored; rename one`,
    })
  }
  return problems
}
