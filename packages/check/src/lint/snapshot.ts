import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
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
import { statIfExists } from '@servicekit/core/node'
import {
  endsLikeModule,
  type ImportRoutes,
  moduleNames,
  readImportRoutes,
  routeFiles,
} from '../usage/import-routes.ts'
import type { SourceFile } from '../usage/read-sources.ts'
import type { RuleContext } from './rule.ts'

/** Settings of the rules: `settings: { servicekit: { syntax: 'icu' } }`. */
export type Settings = Pick<
  CatalogOptions,
  'root' | 'from' | 'snapshotDir' | 'lockFile' | 'syntax' | 'markup'
> & {
  /** Namespace of keys of i18next without one. */
  readonly defaultNamespace?: string
  /** Import prefixes and their folders, like `check.aliases`: `{ '@/': 'src/' }`. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** Reads committed translations, again only if they changed. */
export interface Snapshots {
  /** Returns the messages of the project that a file is in; undefined without a snapshot. */
  readonly modelFor: (context: RuleContext) => Model | undefined
  /**
   * Returns `~uilm/…` for a specifier that leads to it or to the same file of `servicekit
   * compile`; undefined for others.
   */
  readonly messageSpecifier: (context: RuleContext, specifier: string) => string | undefined
  /**
   * Returns the specifier with which a file imports what `~uilm/…` names.
   *
   * @param written Specifiers that the file imports.
   */
  readonly specifierFor: (
    context: RuleContext,
    specifier: string,
    written: readonly string[],
  ) => string
}

export const settingsOf = ({ settings }: RuleContext): Settings =>
  (settings['servicekit'] ?? {}) as Settings

export function createSnapshots(): Snapshots {
  const models = new Map<string, { readonly changed: bigint; readonly model: Model }>()
  const folders = new Map<string, () => Model | undefined>()
  const routes = new Map<string, ImportRoutes>()
  const names = new WeakMap<Model, ReadonlySet<string>>()
  const namesOf = (model: Model): ReadonlySet<string> => {
    const found = names.get(model) ?? moduleNames(model)
    names.set(model, found)
    return found
  }
  const routesFor = (
    context: RuleContext,
  ): { readonly path: string; readonly routes: ImportRoutes } => {
    const { root: folder = '.', aliases = {} } = settingsOf(context)
    const root = resolve(context.cwd, folder)
    const file = resolve(root, context.filename)
    const folders = configFolders(dirname(file), root)
    const id = JSON.stringify([folders, aliases])
    const found =
      routes.get(id) ??
      readImportRoutes(root, folders, {
        aliases,
        sources: folders.flatMap((one) => pagesIn(one, root)),
      })
    routes.set(id, found)
    return { path: pathIn(root, file), routes: found }
  }
  const snapshots: Snapshots = {
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
    messageSpecifier(context, specifier) {
      if (specifier.startsWith('~uilm/')) return specifier
      const model = snapshots.modelFor(context)
      // Most imports lead elsewhere, and the routes of an application are slow to read.
      if (!model || !endsLikeModule(specifier, namesOf(model))) return undefined
      const { path, routes } = routesFor(context)
      return routes.messageSpecifier(path, specifier, model)
    },
    specifierFor(context, specifier, written) {
      const model = snapshots.modelFor(context)
      if (!model) return specifier
      const { path, routes } = routesFor(context)
      return routes.specifierFor(path, specifier, model, written)
    },
  }
  return snapshots
}

/**
 * Returns the root and the folders from it to a file whose settings change where imports lead.
 */
function configFolders(folder: string, root: string): readonly string[] {
  if (folder === root) return [root]
  const isConfig = routeFiles.some((name) => existsSync(join(folder, name)))
  const parent = dirname(folder)
  const above = parent === folder ? [] : configFolders(parent, root)
  return isConfig ? [folder, ...above] : above
}

/** Reads the pages of a folder, which may have import maps. */
const pagesIn = (folder: string, root: string): readonly SourceFile[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.html'))
    .map((name) => join(folder, name))
    .map((path) => ({ path: pathIn(root, path), text: readFileSync(path, 'utf8') }))

const pathIn = (root: string, path: string): string => relative(root, path).split(sep).join('/')

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
): { readonly file: string; readonly changed: bigint } | undefined {
  let folder = dirname(resolve(root, filename))
  for (;;) {
    const file = join(folder, name)
    const changed = statIfExists(file)?.mtimeNs
    if (changed !== undefined) return { file, changed }
    const parent = dirname(folder)
    if (folder === root || parent === folder) break
    folder = parent
  }
  const file = resolve(root, name)
  const changed = statIfExists(file)?.mtimeNs
  return changed === undefined ? undefined : { file, changed }
}
