import { resolve } from 'node:path'
import { type FolderOptions, type ResolvedFolder, resolveFolder } from '../config/folder-options.ts'
import { createFolderReader } from './read-folder.ts'
import type { Catalog } from '../model/catalog.ts'
import type { MessageSyntax } from '../syntax/message.ts'
import type { Source } from './source.ts'

/**
 * Creates a source that reads a folder of translation files, to copy them to a snapshot.
 *
 * @throws ConfigError for an invalid option, and when it is read, if the folder does not exist or
 * contains no language.
 * @throws ServicekitError CATALOG_INVALID when it is read, naming a file that is not valid.
 */
export const folderSource = (
  from: string | FolderOptions,
  options: {
    /** Names of the modules to read; all by default. */
    readonly modules?: readonly string[] | undefined
    /** Maximum size of a file in bytes; 16 MiB by default. */
    readonly maxBytes?: number
  } = {},
): Source =>
  sourceOfFolder(
    resolveFolder(from, (path) => resolve(path)),
    // References to other messages stay as they are written.
    { modules: undefined, maxBytes: 16 * 1024 * 1024, ...options, syntax: 'single-brace' },
  )

/** Creates a source of a folder. */
export function sourceOfFolder(
  from: ResolvedFolder,
  options: {
    readonly modules: readonly string[] | undefined
    readonly maxBytes: number
    readonly syntax: MessageSyntax
  },
): Source {
  const { modules } = options
  const reader = createFolderReader({
    ...options,
    from,
    languages: undefined,
    defaultLanguage: undefined,
  })
  /** Content when the folder was listed last: it is read once, not for each of its files. */
  let listed: Catalog | undefined
  return {
    name: `the folder ${from.folder}`,
    async list(signal) {
      const { catalog, problems } = reader.read()
      listed = catalog
      signal.throwIfAborted()
      return {
        languages: catalog.languages.map(({ code, name }) => ({
          code,
          name,
          isDefault: code === catalog.defaultLanguage,
        })),
        modules: modules ?? catalog.modules.map(({ name }) => name),
        problems,
      }
    },
    async read({ language, module }, { signal }) {
      listed ??= reader.read().catalog
      const found = listed.modules.find(({ name }) => name === module)
      signal.throwIfAborted()
      const translations = found?.translations.get(language)
      return translations
        ? { status: 'ok', raw: Object.fromEntries(translations), etag: undefined }
        : { status: 'empty' }
    },
  }
}
