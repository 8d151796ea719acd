import type { MessageModel, Model, ModuleModel } from '../model/model.ts'
import { hasStringExport, lookupName, specifierOf } from '../model/names.ts'
import { stringLiteral } from './literal.ts'
import { type ModuleCode, printEsModule } from './module-code.ts'
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
export const emitLookup = (module: Pick<ModuleModel, 'name' | 'messages'>): string =>
  printEsModule(lookupModule(module, specifierOf(module.name)))

/** Returns the code of {@link emitLookup}. */
export function lookupModule(
  { messages }: Pick<ModuleModel, 'messages'>,
  specifier: string,
): ModuleCode {
  const unexported = messages.filter((message) => isRenamed(message) && !hasStringExport(message))
  if (unexported.length === 0) return [{ exportAll: specifier, as: 'messages' }]
  const byKey = unexported.map((one) => `  [${stringLiteral(one.key)}]: exported.${one.name},\n`)
  // An exact key replaces an export of the same name: `delete$` is also the name of `delete`.
  const value = `{\n  __proto__: null,\n  ...exported,\n${byKey.join('')}}`
  return [
    { importAll: 'exported', from: specifier },
    { constant: 'messages', value, exportedAs: ['messages'] },
  ]
}

const isRenamed = ({ name, key }: MessageModel): boolean => name !== key

/**
 * Emits the declaration of a lookup. It reuses that of the module, so that keys add no
 * types of their own.
 */
export const emitLookupTypes = (module: Pick<ModuleModel, 'name' | 'messages'>): string =>
  `${noLint}
${ambientHead(lookupSpecifier(module.name))}
${lookupTypes(module, specifierOf(module.name), '~uilm')}}
`

/** Declarations of a lookup, in a file or in an ambient module. */
export function lookupTypes(
  { name, messages }: Pick<ModuleModel, 'name' | 'messages'>,
  moduleSpecifier: string,
  runtime: string,
): string {
  const specifier = stringLiteral(moduleSpecifier)
  const documentation = `/**
 * Messages of "${commentText(name)}" by export name and by exact key.
 * Importing this object adds every message of the module to the bundle.
 */`
  // Listed by exact key, because not every key can be an export, nor in every TypeScript version.
  const byKey = messages
    .filter(isRenamed)
    .map((one) => `  readonly ${stringLiteral(one.key)}: Exported[${stringLiteral(one.name)}]\n`)
  const declared =
    byKey.length === 0
      ? `${documentation}
export * as messages from ${specifier}
type All = typeof import(${specifier})`
      : `type Exported = typeof import(${specifier})
interface ByKey {
${byKey.join('')}}
type All = Omit<Exported, keyof ByKey> & ByKey
${documentation}
export const messages: All`
  return `import type { Message } from ${stringLiteral(runtime)}
${declared}
/** Export name or exact key of a message. */
export type Key = keyof All
/** Key of a message without parameters. */
export type PlainKey = { [K in Key]: All[K] extends Message ? K : never }[Key]
`
}
