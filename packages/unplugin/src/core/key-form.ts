import {
  addKeys,
  findByImportName,
  keyOfIdentifier,
  type Model,
  openWriter,
  type Project,
} from '@servicekit/catalog'
import type { ViteDevServer } from 'vite'
import type { KeyFormData } from './key-form-data.ts'
import type { PluginContext } from './plugin-context.ts'
import { keyPath, receiveKey } from './receive-key.ts'
import { findSimilarKey, type UnknownKeyError } from './unknown-key.ts'

/** Lets pages create unknown keys, unless the project has no target of new keys. */
export async function acceptKeys(server: ViteDevServer, context: PluginContext): Promise<void> {
  const { project } = await context.open()
  context.settings.canAddKeys = canWrite(project)
  if (!context.settings.canAddKeys) return
  server.middlewares.use(keyPath, (request, response) => {
    receiveKey(request, response, {
      token: context.keyToken,
      async add({ newModules, ...draft }) {
        const { project, session } = await context.open()
        const report = await addKeys(project, [draft], { newModules })
        await session.reload()
        return report
      },
    }).catch((error: unknown) => context.settings.log.warn(String(error)))
  })
}

function canWrite(project: Project): boolean {
  try {
    openWriter(project.options)
    return true
  } catch {
    // The option writeTo is needed only to write.
    return false
  }
}

/** Returns what the form shows about an unknown key. */
export function keyFormData(error: UnknownKeyError, model: Model): KeyFormData {
  const { module: imported, name, file, position } = error
  const module = findByImportName(model.modules, imported)
  const { defaultLanguage: language } = model.catalog
  const similar = findSimilarKey({ module: imported, name }, model.modules)
  const key = keyOfIdentifier(name)
  return {
    module: module?.name ?? imported,
    name,
    key,
    language,
    position: position ? `${file}:${position.line}:${position.column}` : file,
    isNewModule: module === undefined,
    similar: similar && {
      name: similar.message.name,
      module: similar.module.name,
      text: similar.module.source.translations.get(language)?.get(similar.message.key) ?? '',
    },
  }
}
