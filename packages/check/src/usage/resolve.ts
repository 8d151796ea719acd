import {
  findByImportName,
  i18nextDefaultModule,
  isEntryName,
  lookupModuleOf,
  type MessageModel,
  type Model,
  type ModuleModel,
  ordinalSuffix,
} from '@servicekit/catalog'
import { ts } from 'ts-morph'
import type { Reference } from './find-references.ts'
import type { ReadFile } from './read-file.ts'

interface ModuleIndex {
  readonly module: ModuleModel
  /** Messages by export name and by exact key. */
  readonly names: ReadonlyMap<string, MessageModel>
  /** Messages by key, including each key of a plural. */
  readonly keys: ReadonlyMap<string, MessageModel>
}

export type Index = ReadonlyMap<string, ModuleIndex> & {
  readonly byDefault: string
  /** Separator between a module and a key in one string. */
  readonly separator: ':' | '.'
}

/** Indexes the messages by every name that code can use. */
export function indexOf(model: Model): Index {
  const index = new Map<string, ModuleIndex>()
  for (const module of model.modules) {
    const names = new Map<string, MessageModel>()
    const keys = new Map<string, MessageModel>()
    for (const message of module.messages) {
      names.set(message.key, message)
      keys.set(message.key, message)
      for (const key of message.group.plural?.values() ?? []) keys.set(key, message)
    }
    for (const message of module.messages) names.set(message.name, message)
    index.set(module.name, { module, names, keys })
  }
  return Object.assign(index, {
    byDefault: i18nextDefaultModule(model),
    separator: separatorOf(model.options.syntax),
  })
}

/** vue-i18n has no namespaces: the module is the first part of a nested key. */
export const separatorOf = (syntax: Model['options']['syntax']): ':' | '.' =>
  syntax === 'vue-i18n' ? '.' : ':'

export interface Resolved {
  readonly messages: { readonly module: ModuleModel; readonly message: MessageModel }[]
  /** Modules of which any message may be used. */
  readonly whole: readonly ModuleModel[]
  readonly unknown: readonly { readonly module: string | undefined; readonly name: string }[]
}

/** Resolves the messages that a usage refers to. */
export function resolve(reference: Reference, index: Index): Resolved {
  const messages: Resolved['messages'] = []
  const unknown: { module: string | undefined; name: string }[] = []
  const { modules, strings, prefix, by, certain } = reference
  const candidates = (modules ?? [index.byDefault]).flatMap((name) => index.get(name) ?? [])
  const tableOf = (one: ModuleIndex) => (by === 'import' ? one.names : one.keys)
  // i18next looks up the ordinal forms first, and then the cardinal ones.
  const isOrdinal = reference.options.includes('ordinal')
  const find = (name: string): boolean =>
    (isOrdinal && findOne(name + ordinalSuffix)) || findOne(name)
  const findOne = (name: string): boolean => {
    const [all, key] =
      by === 'i18next' ? namespaced(name, prefix, candidates, index) : [candidates, name]
    // If the modules are unknown, search all of them.
    const others = modules === undefined && by === 'i18next' ? [...index.values()] : []
    for (const one of [...all, ...(all === candidates ? others : [])]) {
      const message = tableOf(one).get(key)
      if (!message) continue
      messages.push({ module: one.module, message })
      return true
    }
    return false
  }
  // Of several candidates, as with a list of keys or a context, only one has to exist.
  const missing = [...strings.exact].filter((name) => !find(name))
  const isAnyThere =
    messages.length > 0 &&
    reference.options.some((one) => one === 'several keys' || one === 'context')
  // Unknown imports are reported at the import.
  const isImported = by === 'import' && ts.isIdentifier(reference.node)
  if (certain && !isAnyThere && !isImported) {
    for (const text of missing) {
      const [all, name] =
        by === 'i18next' ? namespaced(text, prefix, candidates, index) : [candidates, text]
      const module = all === candidates && modules === undefined ? undefined : all[0]?.module.name
      unknown.push({ module: module ?? modules?.[0], name })
    }
  }
  if (certain) {
    for (const { start, end } of strings.patterns) {
      for (const one of modules === undefined ? index.values() : candidates) {
        for (const [name, message] of tableOf(one)) {
          const key = by === 'i18next' ? name : message.key
          const whole = prefix + stripNamespace(start, one.module.name)
          if (
            key.length >= whole.length + end.length &&
            key.startsWith(whole) &&
            key.endsWith(end)
          ) {
            messages.push({ module: one.module, message })
          }
        }
      }
    }
  }
  const isAny = strings.any && certain
  return {
    messages,
    whole: isAny
      ? (modules === undefined ? [...index.values()] : candidates).map(({ module }) => module)
      : [],
    unknown,
  }
}

const stripNamespace = (text: string, module: string): string =>
  text.startsWith(`${module}:`) ? text.slice(module.length + 1) : text

/** A key such as `auth:SIGN_IN` overrides the namespace with `auth`. */
function namespaced(
  name: string,
  prefix: string,
  candidates: readonly ModuleIndex[],
  index: Index,
): readonly [readonly ModuleIndex[], string] {
  const end = name.indexOf(index.separator)
  const module = end > 0 ? index.get(name.slice(0, end)) : undefined
  // A dot may also be part of a key.
  const isThere = index.separator === ':' || module?.keys.has(name.slice(end + 1))
  return module && isThere ? [[module], name.slice(end + 1)] : [candidates, prefix + name]
}

/** Returns imports and re-exports of unknown modules and names. */
export function unknownImports(
  read: ReadFile,
  model: Model,
  index: Index,
  messageSpecifier: (specifier: string) => string | undefined,
): readonly { node: ts.Node; module: string; name: string | undefined; imported: string }[] {
  const exported = [...read.exports.named.values()].flatMap((one) =>
    'specifier' in one ? [one] : [],
  )
  return [...read.imports, ...exported].flatMap(
    ({ specifier: written, name, node }): ReturnType<typeof unknownImports> => {
      const specifier = messageSpecifier(written)
      if (!specifier?.startsWith('~uilm/')) return []
      if (lookupModuleOf(specifier, model)) return []
      const module = specifier.slice('~uilm/'.length)
      if (isEntryName(module)) return []
      const found = index.get(findByImportName(model.modules, module)?.name ?? module)
      if (found) {
        const isThere = name === '*' || found.names.has(name)
        return isThere ? [] : [{ node, module, name, imported: name }]
      }
      return [{ node, module, name: undefined, imported: name }]
    },
  )
}
