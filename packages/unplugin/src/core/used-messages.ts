import { type MessageModel, type ModuleModel, isEntryName, specifierOf } from '@servicekit/catalog'
import { modulePrefix } from './ids.ts'
import { importedNames } from './unknown-key.ts'

/** Specifiers that a module can be imported by: its own, and its exact name. */
export const specifiersOf = ({ name }: Pick<ModuleModel, 'name'>): readonly string[] =>
  isEntryName(name) ? [specifierOf(name)] : [...new Set([specifierOf(name), modulePrefix + name])]

/** Names that a source file imports from a module which does not have them. */
export const unknownNames = (source: string, module: ModuleModel): readonly string[] =>
  importedNames(source, specifiersOf(module)).filter(
    (name) => !module.messages.some((message) => message.name === name),
  )

/**
 * Messages of a module that a source file may mean: those whose name occurs in
 * it, be it only in a comment, for bundlers whose plugins see sources before
 * anything has parsed them. Tree shaking drops what is too much; where the file
 * takes the module as a whole, all are meant.
 */
export function usedMessages(source: string, module: ModuleModel): readonly MessageModel[] {
  if (takesAll(source, module)) return module.messages
  const words = new Set(source.match(/[\p{ID_Continue}$]+/gu))
  return module.messages.filter(
    ({ name, key }) => words.has(name) || (name !== key && source.includes(key)),
  )
}

/**
 * Whether a source file takes a module as a whole and looks texts up in it by
 * names that are known at run time alone, so that no text of it can be left out.
 */
export function looksUp(source: string, module: ModuleModel): boolean {
  const specifiers = specifiersOf(module)
  if (!specifiers.some((specifier) => source.includes(specifier))) return false
  const imports = /\bimport\s[^'"]*?\*\s*as\s+([\w$]+)\s+from\s*(['"])(.*?)\2/g
  return [...source.matchAll(imports)].some(([, name, , from]) => {
    const access = new RegExp(`(?<![\\w$.])${name!.replaceAll('$', '\\$')}\\s*(?:\\?\\.\\s*)?\\[`)
    return specifiers.includes(from!) && access.test(source)
  })
}

/** Anything but `import { … } from` and `export { … } from` may reach every key. */
function takesAll(source: string, module: ModuleModel): boolean {
  return specifiersOf(module).some((specifier) => takesAllOf(source, specifier))
}

function takesAllOf(source: string, specifier: string): boolean {
  for (let at = source.indexOf(specifier); at >= 0; at = source.indexOf(specifier, at + 1)) {
    const quote = source[at - 1]
    const isWhole =
      quote !== undefined && `'"\``.includes(quote) && source[at + specifier.length] === quote
    if (isWhole && !/\}\s*from\s*$/.test(source.slice(Math.max(0, at - 40), at - 1))) return true
  }
  return false
}
