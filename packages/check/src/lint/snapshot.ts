import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  type CatalogOptions,
  createFolderReader,
  type Model,
  modelOf,
  readSnapshotSync,
  type ResolvedCatalogOptions,
  resolveFolder,
} from '@servicekit/catalog'
import { ServicekitError } from '@servicekit/client'
import type { RuleContext } from './rule.ts'

/** Settings of the rules: `settings: { servicekit: { syntax: 'icu' } }`. */
export type Settings = Pick<
  CatalogOptions,
  'root' | 'from' | 'snapshotDir' | 'lockFile' | 'syntax' | 'markup'
> & {
  /** Namespace of keys of i18next without one. */
  readonly defaultNamespace?: string
}

/** Reads committed translations, again only if they changed. */
export interface Snapshots {
  /** Returns the messages of the project that a file is in; undefined without a snapshot. */
  readonly modelFor: (context: RuleContext) => Model | undefined
}

export const settingsOf = ({ settings }: RuleContext): Settings =>
  (settings['servicekit'] ?? {}) as Settings

export function createSnapshots(): Snapshots {
  const models = new Map<string, { readonly changed: number; readonly model: Model }>()
  const folders = new Map<string, () => Model | undefined>()
  return {
    modelFor(context) {
      const settings = settingsOf(context)
      const root = resolve(context.cwd, settings.root ?? '.')
      if (settings.from !== undefined) {
        const id = JSON.stringify([root, settings])
        const folder = folders.get(id) ?? openFolder(root, settings)
        folders.set(id, folder)
        return folder()
      }
      const name = settings.lockFile ?? 'uilm.lock.json'
      const found = findUp(context, root, name)
      if (!found) return undefined
      const { file, changed } = found
      const known = models.get(file)
      if (known?.changed === changed) return known.model
      const snapshotDir = resolve(dirname(file), settings.snapshotDir ?? 'uilm')
      const catalog = readSnapshotSync({ lockFile: file, snapshotDir })
      if (!catalog) return undefined
      const model = modelOf(catalog, optionsOf(settings))
      models.set(file, { changed, model })
      return model
    },
  }
}

/** Returns a function that reads the folder of the option `from`, again if a file changed. */
function openFolder(root: string, settings: Settings): () => Model | undefined {
  const options = optionsOf(settings)
  const reader = createFolderReader({
    from: resolveFolder(settings.from!, (path) => resolve(root, path)),
    languages: undefined,
    modules: undefined,
    defaultLanguage: undefined,
    maxBytes: Number.POSITIVE_INFINITY,
    syntax: options.syntax,
  })
  let last: { readonly hash: string; readonly model: Model } | undefined
  return () => {
    try {
      const { catalog, hash } = reader.read(() => undefined)
      if (last?.hash !== hash) last = { hash, model: modelOf(catalog, options) }
      return last.model
    } catch (error) {
      if (error instanceof ServicekitError) return undefined
      throw error
    }
  }
}

const optionsOf = ({
  syntax = 'double-brace',
  markup,
}: Settings): Pick<ResolvedCatalogOptions, 'syntax' | 'fallback' | 'markup'> => ({
  syntax,
  fallback: {},
  markup: typeof markup === 'string' ? { framework: markup } : markup,
})

/** Finds the lock file nearest to the linted file, for repositories with several applications. */
function findUp(
  { filename }: RuleContext,
  root: string,
  name: string,
): { readonly file: string; readonly changed: number } | undefined {
  let folder = dirname(resolve(root, filename))
  for (;;) {
    const file = join(folder, name)
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (changed !== undefined) return { file, changed }
    const parent = dirname(folder)
    if (folder === root || parent === folder) break
    folder = parent
  }
  const file = resolve(root, name)
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return changed === undefined ? undefined : { file, changed }
}
