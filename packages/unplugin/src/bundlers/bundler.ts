import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import {
  findByImportName,
  lookupModuleOf,
  type ModuleModel,
  specifierOf,
} from '@servicekit/catalog'
import { modulePrefix, type VirtualModule } from '../core/ids.ts'
import { inspectorSettings } from '../core/inspector-settings.ts'
import type { PluginContext } from '../core/plugin-context.ts'
import { type UnknownKeyError, unknownKeyError } from '../core/unknown-key.ts'
import { findModuleUses, type ModuleUses } from '../source/module-uses.ts'
import { parseSource } from '../source/parse-source.ts'
import { looksUpKeys, unknownNames, usedMessages } from '../core/used-messages.ts'
import {
  type CodeOptions,
  extendedModuleCode,
  moduleCode,
  virtualCode,
} from '../core/virtual-code.ts'

/** Code style that depends on the bundler. */
export interface Style extends Pick<CodeOptions, 'packAccess' | 'hot' | 'reactive' | 'server'> {
  /** The code may load newer packs than those of the build. */
  readonly isLive?: boolean
}

/**
 * Returns the JavaScript of a virtual module of the catalog.
 *
 * @throws Error for an unknown module, listing the existing ones.
 */
export async function loadVirtual(
  context: PluginContext,
  virtual: CatalogModule,
  { isLive = false, ...style }: Style,
): Promise<string> {
  const { project, session } = await context.open()
  const { dev, cookie, canAddKeys } = context.settings
  const model = session.model()
  const code = virtualCode(virtual, {
    ...style,
    model,
    storageKey: project.options.storageKey,
    inspect: inspectorSettings(context.options.inspect, project.options),
    dev,
    cookie,
    keyToken: canAddKeys ? context.keyToken : undefined,
    inline: context.options.inline,
    live: isLive ? context.options.live : undefined,
  })
  if (code !== undefined) {
    const specifier = modulePrefix + ('module' in virtual ? virtual.module : '')
    const module = virtual.kind === 'module' ? lookupModuleOf(specifier, model) : undefined
    if (module && !dev) warnAboutLookup(context, specifier, module)
    return code
  }
  throw unknownModuleError('module' in virtual ? virtual.module : virtual.kind, model.modules)
}

/** Module whose code the catalog has, in every bundler. */
type CatalogModule = Parameters<typeof virtualCode>[0]

/** Returns whether a module is not one for a single kind of bundlers. */
export const isCatalogModule = (virtual: VirtualModule): virtual is CatalogModule =>
  virtual.kind !== 'used' && virtual.kind !== 'entry' && virtual.kind !== 'webpack'

/** Returns whether a module is a key module and not a lookup. */
export const isKeyModule = (
  virtual: VirtualModule,
): virtual is Extract<VirtualModule, { kind: 'module' }> =>
  virtual.kind === 'module' && !virtual.module.endsWith('/messages')

/** Warns that a lookup by run-time key loads all messages of a module. */
export function warnAboutLookup(
  { settings }: PluginContext,
  where: string,
  module: ModuleModel,
): void {
  const { name, messages } = module
  settings.log.warn(
    `${where} looks up messages by name, which loads all ${messages.length} messages of ${name}`,
  )
}

/** Creates the error for an unknown module, listing the existing ones. */
function unknownModuleError(module: string, modules: readonly ModuleModel[]): Error {
  const names = modules.map(({ name }) => specifierOf(name))
  return new Error(
    `${modulePrefix}${module} is not in the translations. Modules: ${names.join(', ')}`,
  )
}

/**
 * Returns the path of a file relative to the root, as used in ids. It is the same in
 * every checkout.
 */
export const importerName = ({ settings }: PluginContext, path: string): string =>
  relative(settings.root ?? '.', path).replaceAll('\\', '/')

/** Returns the absolute path of a name returned by {@link importerName}. */
export const importerPath = ({ settings }: PluginContext, name: string): string =>
  resolve(settings.root ?? '.', name)

/**
 * Returns a key module with only the keys that one file may use, for bundlers whose
 * plugins see source files before they are JavaScript.
 *
 * In development it has all keys, and a replacement for each name that does not exist. The
 * errors of these names are passed to `onError`.
 *
 * @throws Error for an unknown module or key.
 */
export async function loadUsed(
  context: PluginContext,
  { module: name, importer: relativeImporter }: Extract<VirtualModule, { kind: 'used' }>,
  onError?: (error: UnknownKeyError) => void,
): Promise<string> {
  const file = importerPath(context, relativeImporter)
  const { session } = await context.open()
  const { modules } = session.model()
  const module = findByImportName(modules, name)
  const source = await readFile(file, 'utf8')
  const uses = usesIn(context, file, source)
  const names = uses ? unknownNames(uses, name, module) : []
  const errors = names.map((one) =>
    unknownKeyError({ module: name, name: one }, { file, source }, modules),
  )
  if (onError) {
    for (const error of errors) onError(error)
    return extendedModuleCode(module, { module: name, keys: names })
  }
  if (!module) throw unknownModuleError(name, modules)
  if (errors[0]) throw errors[0]
  if (!uses) return moduleCode(module, module.messages)
  if (looksUpKeys(uses, module)) warnAboutLookup(context, file, module)
  return moduleCode(module, usedMessages(uses, module))
}

/** Returns the uses of key modules in a file, which is parsed once for all modules it imports. */
function usesIn(
  { parsedFiles }: PluginContext,
  file: string,
  source: string,
): ModuleUses | undefined {
  const parsed = parsedFiles.get(file)
  if (parsed?.source === source) return parsed.uses
  const program = parseSource(source, file)
  const uses = program && findModuleUses(program)
  parsedFiles.set(file, { source, uses })
  return uses
}
