import { type MessageModel, type ModuleModel, isEntryName, specifierOf } from '@servicekit/catalog'
import { escapePattern } from '@servicekit/core'
import { modulePrefix } from './ids.ts'
import { escapedStrings, nameUses } from './name-uses.ts'

/** Returns the specifiers of a module: its own, and its exact name. */
export const specifiersOf = ({ name }: Pick<ModuleModel, 'name'>): readonly string[] =>
  isEntryName(name) ? [specifierOf(name)] : [...new Set([specifierOf(name), modulePrefix + name])]

/** Returns whether a module exports a name. */
export const hasName = ({ messages }: ModuleModel, name: string): boolean =>
  messages.some((message) => message.name === name || message.key === name)

/**
 * Returns the names that a source file uses of a module but that do not exist there.
 *
 * @param name Module as written in the file: `cart` of `~uilm/cart`.
 * @param module Undefined if the module itself does not exist.
 */
export function unknownNames(
  source: string,
  name: string,
  module: ModuleModel | undefined,
): readonly string[] {
  const specifiers = module ? specifiersOf(module) : [modulePrefix + name]
  const names = new Set(nameUses(source, specifiers).map((use) => use.name))
  return [...names].filter((one) => !module || !hasName(module, one))
}

/**
 * Returns the messages of a module that a source file may use: those whose name occurs in
 * it, even in a comment. For bundlers whose plugins see source files before they are
 * parsed. Tree shaking removes unused ones. If the file imports the module as a whole,
 * all messages are returned.
 */
export function usedMessages(source: string, module: ModuleModel): readonly MessageModel[] {
  if (takesAll(source, module)) return module.messages
  const names = new Set([
    ...(source.match(/[\p{ID_Continue}$]+/gu) ?? []),
    ...escapedStrings(source),
  ])
  return module.messages.filter(
    ({ name, key }) =>
      names.has(name) || (name !== key && (names.has(key) || source.includes(key))),
  )
}

/**
 * Returns whether a source file imports a module as a namespace and looks up messages by
 * run-time names, so that none of them can be removed.
 */
export function looksUpKeys(source: string, module: ModuleModel): boolean {
  const specifiers = specifiersOf(module)
  if (!specifiers.some((specifier) => source.includes(specifier))) return false
  const imports = /\bimport\s[^'"]*?\*\s*as\s+([\w$]+)\s+from\s*(['"])(.*?)\2/g
  return [...source.matchAll(imports)].some(([, name, , from]) => {
    const access = new RegExp(`(?<![\\w$.])${escapePattern(name!)}\\s*(?:\\?\\.\\s*)?\\[`)
    return specifiers.includes(from!) && access.test(source)
  })
}

/** Anything other than `import { … } from` and `export { … } from` may use every key. */
function takesAll(source: string, module: ModuleModel): boolean {
  const specifiers = specifiersOf(module).map(escapePattern).join('|')
  const quoted = new RegExp(`(\\}\\s*from\\s*)?(['"\`])(?:${specifiers})\\2`, 'g')
  return [...source.matchAll(quoted)].some(([, list]) => list === undefined)
}
