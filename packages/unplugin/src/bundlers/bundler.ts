import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import {
  findByImportName,
  lookupModuleOf,
  type ModuleModel,
  specifierOf,
} from '@servicekit/catalog'
import type { Reactive } from '../core/adapter-code.ts'
import { modulePrefix, type VirtualModule } from '../core/ids.ts'
import { inspectorSettings } from '../core/inspector-code.ts'
import { type UnknownKeyError, unknownKeyError } from '../core/unknown-key.ts'
import { looksUp, unknownNames, usedMessages } from '../core/used-messages.ts'
import {
  type CodeOptions,
  extendedModuleCode,
  moduleCode,
  virtualCode,
} from '../core/virtual-code.ts'
import type { Workshop } from '../core/workshop.ts'

/** Code style that depends on the bundler. */
export type Style = Pick<CodeOptions, 'find' | 'hot'> & { readonly reactive: Reactive | undefined }

/**
 * Returns the JavaScript of a virtual module of the catalog.
 *
 * @throws Error for an unknown module, listing the existing ones.
 */
export async function loadVirtual(
  workshop: Workshop,
  virtual: Parameters<typeof virtualCode>[0],
  style: Style,
): Promise<string> {
  const { project, session } = await workshop.open()
  const { dev } = workshop.settings
  const model = session.model()
  const code = virtualCode(virtual, {
    ...style,
    model,
    storageKey: project.options.storageKey,
    inspect: inspectorSettings(workshop.options.inspect, project.options),
    dev,
    inline: workshop.options.inline,
  })
  if (code !== undefined) {
    const specifier = modulePrefix + ('module' in virtual ? virtual.module : '')
    const module = virtual.kind === 'module' ? lookupModuleOf(specifier, model) : undefined
    if (module && !dev) warnOfLookup(workshop, specifier, module)
    return code
  }
  throw missing(virtual, model.modules)
}

/** Returns whether a module is a key module and not a lookup. */
export const isForKeys = (
  virtual: VirtualModule,
): virtual is Extract<VirtualModule, { kind: 'module' }> =>
  virtual.kind === 'module' && !virtual.module.endsWith('/messages')

/** Warns that a lookup by run-time key loads all messages of a module. */
export function warnOfLookup({ settings }: Workshop, where: string, module: ModuleModel): void {
  const { name, messages } = module
  settings.log.warn(
    `${where} looks texts up by name: all ${messages.length} of ${name} are loaded where it is used`,
  )
}

/** Creates the error for an unknown module, listing the existing ones. */
function missing(virtual: VirtualModule, modules: readonly ModuleModel[]): Error {
  const wanted = 'module' in virtual ? virtual.module : virtual.kind
  const names = modules.map(({ name }) => specifierOf(name))
  return new Error(
    `${modulePrefix}${wanted} is not in the translations; there are ${names.join(', ')}`,
  )
}

/**
 * Returns the path of a file relative to the root, as used in ids. It is the same in
 * every checkout.
 */
export const importerName = ({ settings }: Workshop, path: string): string =>
  relative(settings.root ?? '.', path).replaceAll('\\', '/')

/** Returns the absolute path of a name returned by {@link importerName}. */
export const importerPath = ({ settings }: Workshop, name: string): string =>
  resolve(settings.root ?? '.', name)

/**
 * Returns a key module with only the keys that one file may use, for bundlers whose
 * plugins see source files before they are JavaScript.
 *
 * In development it has all keys, and a stand-in for each name that does not exist. The
 * errors of these names are passed to `onError`.
 *
 * @throws Error for an unknown module or key.
 */
export async function loadUsed(
  workshop: Workshop,
  { module: name, importer: relativeImporter }: Extract<VirtualModule, { kind: 'used' }>,
  onError?: (error: UnknownKeyError) => void,
): Promise<string> {
  const file = importerPath(workshop, relativeImporter)
  const { session } = await workshop.open()
  const { modules } = session.model()
  const module = findByImportName(modules, name)
  if (!module && !onError) throw missing({ kind: 'module', module: name }, modules)
  const source = await readFile(file, 'utf8')
  const names = unknownNames(source, name, module)
  const errors = names.map((one) =>
    unknownKeyError({ module: name, name: one }, { file, source }, module, modules),
  )
  if (onError) {
    for (const error of errors) onError(error)
    return extendedModuleCode(module, { module: name, keys: names })
  }
  if (errors[0]) throw errors[0]
  if (looksUp(source, module!)) warnOfLookup(workshop, file, module!)
  return moduleCode(module!, usedMessages(source, module!))
}
