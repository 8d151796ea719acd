import { ConfigError } from '@servicekit/client'
import { requireService } from '@servicekit/client/environment'
import type { ServiceOptions } from '@servicekit/contract/service'
import { controlTokenName, isLoopbackUrl } from '@servicekit/core'
import { keysOf } from '../model/catalog.ts'
import type { ResolvedCatalogOptions } from '../config/options.ts'
import { resolveFolder } from '../config/folder-options.ts'
import { createFolderReader } from '../sources/read-folder.ts'
import { readSnapshot } from '../snapshot/snapshot.ts'
import { folderWriter } from './folder-writer.ts'
import { detailsOf, keyId } from '../model/key-draft.ts'
import { keyFileOf, readKeyFile } from '../snapshot/key-file.ts'
import { importFunction } from './import-writer.ts'
import type { KeyWriter, WriteFunction } from '../config/key-writer.ts'
import { platformWriter } from './platform-writer.ts'

type WriterOptions = Pick<
  ResolvedCatalogOptions,
  | 'writeTo'
  | 'from'
  | keyof ServiceOptions
  | 'maxBytes'
  | 'syntax'
  | 'lockFile'
  | 'snapshotDir'
  | 'languages'
  | 'modules'
  | 'defaultLanguage'
>

/**
 * Opens the target of new keys: that of the option `writeTo`, or else the folder of the option
 * `from`, or the local platform.
 *
 * @throws ConfigError if there is none.
 */
export function openWriter(options: WriterOptions): KeyWriter {
  const { writeTo, from, baseUrl } = options
  if (writeTo === undefined) {
    if (from !== undefined) return folderWriter(from, options)
    if (baseUrl !== undefined && isLoopbackUrl(baseUrl)) return platformOf(options)
    throw new ConfigError('writeTo is required to write new keys', {
      ...(baseUrl === undefined ? {} : { details: { baseUrl } }),
      help: "The service has no route for new keys. Set localization.writeTo in servicekit.config to 'platform', a folder, an import route or a function.",
    })
  }
  if (writeTo === 'platform') return platformOf(options)
  if (typeof writeTo === 'function') return writeOnly('the function writeTo', writeTo, options)
  if ('folder' in writeTo) {
    return folderWriter(
      resolveFolder(writeTo.folder, (path) => path),
      options,
    )
  }
  if ('import' in writeTo) {
    const { url } = writeTo.import
    return writeOnly(`the import route ${url}`, importFunction(writeTo.import, options), options)
  }
  return writeTo
}

function platformOf(options: WriterOptions): KeyWriter {
  const { baseUrl, projectKey } = requireService(options)
  const token = process.env[controlTokenName] || undefined
  return platformWriter({ baseUrl: new URL(baseUrl).origin, token }, projectKey)
}

/** Creates a writer over a function that cannot list keys: its keys are those of the snapshot. */
const writeOnly = (name: string, write: WriteFunction, options: WriterOptions): KeyWriter => ({
  name,
  async list({ language }) {
    const { modules } = options.from
      ? createFolderReader({ ...options, from: options.from }).read().catalog
      : await readSnapshot(options, () => undefined)
    const listed = modules.flatMap((module) =>
      keysOf(module).map((key) => ({
        module: module.name,
        key,
        text: module.translations.get(language)?.get(key) ?? '',
      })),
    )
    const known = new Set(listed.map(keyId))
    const pending = [...(await readKeyFile(keyFileOf(options.lockFile)))].flatMap(
      ([module, entries]) =>
        [...entries].flatMap(([key, { text, ...details }]) =>
          text === undefined ? [] : [{ module, key, text, ...detailsOf(details) }],
        ),
    )
    return [...listed, ...pending.filter((one) => !known.has(keyId(one)))]
  },
  async create(drafts, call) {
    await write(drafts, call)
    return true
  },
})
