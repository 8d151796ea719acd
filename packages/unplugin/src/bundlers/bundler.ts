import type { ModuleModel } from '@servicekit/catalog'
import type { Reactive } from '../core/adapter-code.ts'
import { modulePrefix, type VirtualModule } from '../core/ids.ts'
import { type CodeOptions, virtualCode } from '../core/virtual-code.ts'
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
  server: boolean,
): Promise<string> {
  const { project, session } = await workshop.open()
  const { dev } = workshop.settings
  const model = session.model()
  const code = virtualCode(virtual, {
    ...style,
    model,
    server,
    storageKey: project.options.storageKey,
    dev,
    // While developing one wants to see the other languages too.
    inline: dev ? undefined : workshop.options.inline,
  })
  if (code !== undefined) return code
  throw missing(virtual, model.modules)
}

/** Says which modules there are. */
export function missing(virtual: VirtualModule, modules: readonly ModuleModel[]): Error {
  const wanted = 'module' in virtual ? virtual.module : virtual.kind
  const names = modules.map(({ name }) => modulePrefix + name)
  return new Error(
    `${modulePrefix}${wanted} is not in the translations; there are ${names.join(', ')}`,
  )
}
