import type { MessageModel, ModuleModel } from '@servicekit/catalog'
import { modulePrefix } from './ids.ts'

/**
 * Messages of a module that a source file may mean: those whose name occurs in
 * it, be it only in a comment, for bundlers whose plugins see sources before
 * anything has parsed them. Tree shaking drops what is too much; where the file
 * takes the module as a whole, all are meant.
 */
export function usedMessages(source: string, module: ModuleModel): readonly MessageModel[] {
  if (takesAll(source, module.name)) return module.messages
  const words = new Set(source.match(/[\p{ID_Continue}$]+/gu))
  return module.messages.filter(
    ({ name, key }) => words.has(name) || (name !== key && source.includes(key)),
  )
}

/** Anything but `import { … } from` and `export { … } from` may reach every key. */
function takesAll(source: string, module: string): boolean {
  const specifier = modulePrefix + module
  for (let at = source.indexOf(specifier); at >= 0; at = source.indexOf(specifier, at + 1)) {
    const quote = source[at - 1]
    const isWhole =
      quote !== undefined && `'"\``.includes(quote) && source[at + specifier.length] === quote
    if (isWhole && !/\}\s*from\s*$/.test(source.slice(Math.max(0, at - 40), at - 1))) return true
  }
  return false
}
