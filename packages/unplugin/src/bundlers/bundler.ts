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
import { firstUnknownName, looksUp, unknownKey, usedMessages } from '../core/used-messages.ts'
import { type CodeOptions, moduleCode, virtualCode } from '../core/virtual-code.ts'
import type { Workshop } from '../core/workshop.ts'

/** How modules look in one bundler. */
export type Style = Pick<CodeOptions, 'find' | 'hot'> & { readonly reactive: Reactive | undefined }

/**
 * JavaScript of a virtual module of the catalog.
 *
 * @throws Error for a module that there is not, with those that there are.
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

/** Whether a module of keys is imported, and not one that looks them up. */
export const isForKeys = (
  virtual: VirtualModule,
): virtual is Extract<VirtualModule, { kind: 'module' }> =>
  virtual.kind === 'module' && !virtual.module.endsWith('/messages')

/** A key that is known at run time alone may be any: says what that costs. */
export function warnOfLookup({ settings }: Workshop, where: string, module: ModuleModel): void {
  const { name, messages } = module
  settings.log.warn(
    `${where} looks texts up by name: all ${messages.length} of ${name} are loaded where it is used`,
  )
}

/** Says which modules there are. */
function missing(virtual: VirtualModule, modules: readonly ModuleModel[]): Error {
  const wanted = 'module' in virtual ? virtual.module : virtual.kind
  const names = modules.map(({ name }) => specifierOf(name))
  return new Error(
    `${modulePrefix}${wanted} is not in the translations; there are ${names.join(', ')}`,
  )
}

/** A file as ids name it: the same in every checkout. */
export const importerName = ({ settings }: Workshop, path: string): string =>
  relative(settings.root ?? '.', path).replaceAll('\\', '/')

/** The file that {@link importerName} has named. */
export const importerPath = ({ settings }: Workshop, name: string): string =>
  resolve(settings.root ?? '.', name)

/**
 * Those keys of a module that a file may mean, as a module for it alone: for
 * bundlers that show sources to plugins before they are JavaScript.
 *
 * @throws Error for a module or key that there is not.
 */
export async function loadUsed(
  workshop: Workshop,
  { module: name, importer: relativeImporter }: Extract<VirtualModule, { kind: 'used' }>,
): Promise<string> {
  const importer = importerPath(workshop, relativeImporter)
  const { session } = await workshop.open()
  const { modules } = session.model()
  const module = findByImportName(modules, name)
  if (!module) throw missing({ kind: 'module', module: name }, modules)
  const source = await readFile(importer, 'utf8')
  const unknown = firstUnknownName(source, module)
  if (unknown !== undefined) throw unknownKey(unknown, module, importer)
  if (looksUp(source, module)) warnOfLookup(workshop, importer, module)
  return moduleCode(module, usedMessages(source, module))
}
