import type { Model, ModuleModel } from '../model.ts'
import { lookupName, specifierOf } from '../names.ts'
import { stringLiteral } from './literal.ts'
import { ambientHead, commentText, noLint } from './types.ts'

/** Returns the specifier of the lookup of a module: `~uilm/auth/messages`. */
export const lookupSpecifier = (module: string): string => `${specifierOf(module)}/${lookupName}`

/** Returns the module whose lookup a specifier names; undefined if there is none. */
export function lookupModuleOf(
  specifier: string,
  model: Pick<Model, 'modules'>,
): ModuleModel | undefined {
  const exact = `/${lookupName}`
  if (!specifier.endsWith(exact)) return undefined
  return (
    model.modules.find(({ name }) => lookupSpecifier(name) === specifier) ??
    model.modules.find(({ name }) => `~uilm/${name}${exact}` === specifier)
  )
}

/**
 * Emits the code of a lookup: the messages of a module by export name and by exact key,
 * for keys known only at run time. Importing it keeps every message of the module, so a
 * bundler plugin should warn about it.
 *
 * ```ts
 * import { messages, type Key } from '~uilm/errors/messages'
 * messages[code satisfies Key]()
 * ```
 */
export const emitLookup = (module: Pick<ModuleModel, 'name'>): string =>
  `export * as messages from ${stringLiteral(specifierOf(module.name))}\n`

/**
 * Emits the declaration of a lookup. It reuses that of the module, so that keys add no
 * types of their own.
 */
export const emitLookupTypes = ({ name }: Pick<ModuleModel, 'name'>): string =>
  `${noLint}
${ambientHead(lookupSpecifier(name))}
${lookupTypes({ name }, specifierOf(name), '~uilm')}}
`

/** Declarations of a lookup, in a file or in an ambient module. */
export function lookupTypes(
  { name }: Pick<ModuleModel, 'name'>,
  moduleSpecifier: string,
  runtime: string,
): string {
  const specifier = stringLiteral(moduleSpecifier)
  return `import type { Message } from ${stringLiteral(runtime)}
/**
 * Messages of "${commentText(name)}" by export name and by exact key.
 * Importing this object adds every message of the module to the bundle.
 */
export * as messages from ${specifier}
type All = typeof import(${specifier})
/** Export name or exact key of a message. */
export type Key = keyof All
/** Key of a message without parameters. */
export type PlainKey = { [K in Key]: All[K] extends Message ? K : never }[Key]
`
}
