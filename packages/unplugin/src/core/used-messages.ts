import { type MessageModel, type ModuleModel, isEntryName, specifierOf } from '@servicekit/catalog'
import { closest } from 'fastest-levenshtein'
import { modulePrefix } from './ids.ts'

/** Specifiers that a module can be imported by: its own, and its exact name. */
export const specifiersOf = ({ name }: Pick<ModuleModel, 'name'>): readonly string[] =>
  isEntryName(name) ? [specifierOf(name)] : [...new Set([specifierOf(name), modulePrefix + name])]

/** For messages: a key that a file imports and its module does not have, with the one that was meant. */
export function unknownKey(name: string, module: ModuleModel, file: string): Error {
  const names = module.messages.map((message) => message.name)
  const meant = names.length === 0 ? '' : ` Did you mean ${closest(name, names)}?`
  return new Error(`${file}: ${specifierOf(module.name)} has no key ${name}.${meant}`)
}

/** The first name that a source file imports from a module which does not have it. */
export function firstUnknownName(source: string, module: ModuleModel): string | undefined {
  const specifiers = specifiersOf(module)
  // At the start of a line: not in a comment of one line, nor in most of several.
  const imports = /^[ \t]*(?:import|export)\s*\{([^}]*)\}\s*from\s*(['"])(.*?)\2/gm
  for (const [, list, , from] of source.matchAll(imports)) {
    if (!specifiers.includes(from!)) continue
    const bare = list!.replaceAll(/\/\*.*?\*\/|\/\/.*/gs, '')
    const names = bare.split(',').map((one) => one.trim().replace(/\s+as\s.*$/s, ''))
    const unknown = names.find(
      (name) =>
        /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) &&
        !module.messages.some((message) => message.name === name),
    )
    if (unknown !== undefined) return unknown
  }
  return undefined
}

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
