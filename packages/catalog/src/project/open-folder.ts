import type { Catalog } from '../model/catalog.ts'
import { folderKeyFile, keyFileChange, keyFileOf, readKeyFile } from '../snapshot/key-file.ts'
import { type KeyEntries } from '../model/key-draft.ts'
import { modulesOf, settle, withPending } from '../snapshot/pending-keys.ts'
import { localPathsOf, type WrittenPaths } from '../snapshot/local-paths.ts'
import { withFolderLock } from '../snapshot/with-folder-lock.ts'
import type { ResolvedCatalogOptions } from '../config/options.ts'
import type { Model } from '../model/model.ts'
import type { FolderModel, ProjectFolder } from './project.ts'
import { replaceFiles } from '../files/replace-files.ts'
import type { ResolvedFolder } from '../config/folder-options.ts'
import { createFolderReader } from '../sources/read-folder.ts'

/** Opens a folder that is the source of truth. */
export function openFolder(
  options: ResolvedCatalogOptions & { readonly from: ResolvedFolder },
  modelOf: (catalog: Catalog, before: Model | undefined) => Model,
): ProjectFolder {
  const reader = createFolderReader(options)
  const keyFiles = [keyFileOf(options.lockFile), folderKeyFile(options.from.folder)]
  let last:
    | { readonly hash: string; readonly keys: string; readonly model: FolderModel }
    | undefined
  return {
    path: options.from.folder,
    async read(onInvalid) {
      const { catalog, ...content } = reader.read(onInvalid)
      const [pending = new Map(), details = new Map()] = await Promise.all(
        keyFiles.map(readKeyFile),
      )
      const keys = JSON.stringify(
        [pending, details].map((one) => [...one].map(([m, k]) => [m, [...k]])),
      )
      if (last?.hash === content.hash && last.keys === keys) return last.model
      const complete = withPendingKeys(catalog, pending)
      const known = merge(details, pending)
      const model = modelOf(
        known.size === 0 ? complete : { ...complete, details: known },
        last?.model.model,
      )
      last = { hash: content.hash, keys, model: { ...content, hash: content.hash + keys, model } }
      return last.model
    },
  }
}

/** Returns the entries of both key files. Those of the project override those of the folder. */
const merge = (details: KeyEntries, own: KeyEntries): KeyEntries =>
  new Map(
    [...new Set([...details.keys(), ...own.keys()])].map((module) => [
      module,
      new Map([...(details.get(module) ?? []), ...(own.get(module) ?? [])]),
    ]),
  )

/** Adds the keys that another tool has, and the folder not yet. */
function withPendingKeys(catalog: Catalog, entries: KeyEntries): Catalog {
  const names = modulesOf(entries)
  if (names.length === 0) return catalog
  const { defaultLanguage } = catalog
  const added = names.filter((name) => catalog.modules.every((module) => module.name !== name))
  const modules = [
    ...catalog.modules,
    ...added.map((name) => ({ name, translations: new Map() })),
  ].map((module) => ({
    ...module,
    translations: new Map(
      catalog.languages.flatMap(({ code: language }) => {
        const own = module.translations.get(language) ?? new Map()
        const id = { language, module: module.name }
        const merged = withPending(own, id, { entries, defaultLanguage })
        return merged.size > 0 || module.translations.has(language) ? [[language, merged]] : []
      }),
    ),
  }))
  return { ...catalog, modules: modules.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Removes the keys from the key file that the folder has now. */
export async function settleKeys(options: WrittenPaths, catalog: Catalog): Promise<void> {
  const file = keyFileOf(options.lockFile)
  if (modulesOf(await readKeyFile(file)).length === 0) return
  await withFolderLock(localPathsOf(options).cacheDir, async () => {
    const entries = await readKeyFile(file)
    const left = settle(entries, (module, key) => hasKey(catalog, module, key))
    await replaceFiles([keyFileChange(file, left)])
  })
}

const hasKey = ({ modules }: Catalog, module: string, key: string): boolean =>
  [...(modules.find(({ name }) => name === module)?.files?.values() ?? [])].some(
    (file) => file.positionOf(key) !== undefined,
  )
