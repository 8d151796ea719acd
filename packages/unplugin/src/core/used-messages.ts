import { type MessageModel, type ModuleModel, isEntryName, specifierOf } from '@servicekit/catalog'
import type { ModuleUses } from '../source/module-uses.ts'
import { modulePrefix } from './ids.ts'

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
  uses: ModuleUses,
  name: string,
  module: ModuleModel | undefined,
): readonly string[] {
  const names = namesOf(uses, module ? specifiersOf(module) : [modulePrefix + name])
  return [...names].filter((one) => !module || !hasName(module, one))
}

/**
 * Returns the messages of a module that a source file may use: those that it imports or exports
 * by name, or all if it uses the module as a whole.
 */
export function usedMessages(uses: ModuleUses, module: ModuleModel): readonly MessageModel[] {
  const specifiers = specifiersOf(module)
  if (specifiers.some((specifier) => uses.whole.has(specifier))) return module.messages
  const names = namesOf(uses, specifiers)
  return module.messages.filter(({ name, key }) => names.has(name) || names.has(key))
}

/**
 * Returns whether a source file looks up messages of a module by run-time names, so that none of
 * them can be removed.
 */
export const looksUpKeys = (uses: ModuleUses, module: ModuleModel): boolean =>
  specifiersOf(module).some((specifier) => uses.lookups.has(specifier))

const namesOf = (uses: ModuleUses, specifiers: readonly string[]): ReadonlySet<string> =>
  new Set(uses.names.flatMap(({ specifier, name }) => (specifiers.includes(specifier) ? name : [])))
