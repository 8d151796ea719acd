import { join } from 'node:path'
import { emitDeclarations } from '../emit/declarations.ts'
import type { ResolvedFolder } from '../config/folder-options.ts'
import { openFolder, settleKeys } from './open-folder.ts'
import type { OnInvalidFile } from '../sources/read-folder.ts'
import { buildModel, type Model } from '../model/model.ts'
import { type ChangedFile, modelAfter, modelOf } from '../model/model-of.ts'
import {
  type CatalogOptions,
  type Environment,
  type ResolvedCatalogOptions,
  resolveCatalogOptions,
} from '../config/options.ts'
import { compareWithSource, type Drift } from '../snapshot/drift.ts'
import { normaliseFile } from '../model/normalise.ts'
import type { Problem } from '../model/problem.ts'
import { pull, type PullOptions, type PullReport } from '../snapshot/pull.ts'
import { type PullProgress } from '../sources/source.ts'
import { type CatalogReader, createCatalogReader } from '../snapshot/catalog-reader.ts'
import { rejectLinkedFolders } from '../files/inside.ts'
import { type LocalPaths, localPathsOf } from '../snapshot/local-paths.ts'
import { replaceFiles } from '../files/replace-files.ts'
import { staleDeclarations } from './stale-declarations.ts'
import { type OnDrift, readSnapshot } from '../snapshot/snapshot.ts'
import { openCache, sharedCache } from '../snapshot/shared-cache.ts'
import { type ProjectContext, type SourceOpener, sourceOpener } from '../sources/open-source.ts'
import { supportsStringExports, typeScriptVersion } from '../config/typescript-version.ts'
import { type EmittedFile, writeFiles, type WriteReport } from '../files/write.ts'

/** Folder of translation files that is the source of truth. */
export interface ProjectFolder {
  /** Absolute path. */
  readonly path: string
  /**
   * Reads the files that changed, and builds the model if any did.
   *
   * @param onInvalid Called for a file that is not valid, whose last valid content is used. Without
   * it, such a file is an error.
   * @throws ConfigError, ServicekitError CATALOG_INVALID
   */
  readonly read: (onInvalid?: OnInvalidFile) => Promise<FolderModel>
}

/** Model of a folder. */
export interface FolderModel {
  readonly model: Model
  /** Differs if any file does. */
  readonly hash: string
  readonly problems: readonly Problem[]
  readonly files: number
  /** Size of the files in bytes. */
  readonly bytes: number
}

/** Translations of an application: snapshot or folder, source and model. */
export interface Project {
  readonly options: ResolvedCatalogOptions
  /** `true` if there is a service to pull from. */
  readonly hasSource: boolean
  /**
   * Folder that is the source of truth, of the option `from`; undefined for a snapshot. Then
   * nothing is pulled: `load` reads its files.
   */
  readonly folder: ProjectFolder | undefined
  /**
   * Updates the snapshot. If the pull fails, no file is changed.
   *
   * @throws RequestError, ResponseShapeError, ConfigError
   * @throws ServicekitError CATALOG_INVALID, EMIT_FAILED
   */
  readonly pull: (options?: {
    /** Also writes the declarations; false by default. */
    readonly types?: boolean
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: PullProgress) => void
    /**
     * Id of the module that changed, as in an event: only its files are pulled. Without it, or
     * with `types`, all modules are pulled.
     */
    readonly moduleId?: string
  }) => Promise<PullReport>
  /**
   * Reads one translation file from the source without storing it, to show an edit before a pull
   * has updated the snapshot.
   *
   * @returns undefined if the source has no such file, or if the id was not listed when this
   * project was last pulled.
   */
  readonly readFile: (file: {
    /** Id of the module, as in an event. */
    readonly moduleId: string
    readonly language: string
    readonly signal?: AbortSignal
  }) => Promise<ChangedFile | undefined>
  /** Creates a reader of the source, which keeps the translations in memory only. */
  readonly createReader: (options?: {
    readonly onProgress?: (progress: PullProgress) => void
  }) => CatalogReader
  /**
   * Compares the source with the snapshot without writing to the project.
   *
   * @throws RequestError, ResponseShapeError, ConfigError, ServicekitError
   * SNAPSHOT_MISSING
   */
  readonly compare: (options?: { readonly signal?: AbortSignal }) => Promise<readonly Drift[]>
  /**
   * Reads the snapshot from disk and builds its model.
   *
   * @param options `onDrift`: called for each file that is not the one of the lock. The
   * model then has the content of the file, and its `problems` may contain name clashes.
   * @throws ServicekitError SNAPSHOT_MISSING; SNAPSHOT_DRIFT and CATALOG_INVALID without
   * `onDrift`.
   */
  readonly load: (options?: { readonly onDrift?: OnDrift }) => Promise<Model>
  /** Returns the declarations of `~uilm`, for the TypeScript version of the application. */
  readonly declarations: (model: Model) => readonly EmittedFile[]
  /**
   * Writes the declarations of `~uilm` and removes outdated ones. Resolves with the number
   * of changed files.
   */
  readonly writeTypes: (model: Model) => Promise<WriteReport>
}

/**
 * Opens the translations of an application. Nothing is read or sent yet.
 *
 * @throws ConfigError for invalid options.
 */
export function openProject(options: CatalogOptions = {}, context: ProjectContext = {}): Project {
  const environment = context.environment ?? process.env
  const resolved = resolveCatalogOptions(
    // The rate limit is that of the service. A custom source has its own.
    context.source === undefined
      ? options
      : { requestsPerMinute: Number.POSITIVE_INFINITY, ...options },
    environment,
  )
  const sources = sourceOpener(resolved, { ...context, environment })
  const types = typesOf(resolved)
  const shared = { options: resolved, ...types, ...readersOf(resolved, sources) }
  if (!context.source && resolved.from) {
    const { from } = resolved
    return { ...shared, ...folderProject({ ...resolved, from }, types), hasSource: false }
  }
  return {
    ...shared,
    ...snapshotProject(resolved, { environment, sources, types }),
    hasSource: context.source !== undefined || resolved.baseUrl !== undefined,
  }
}

type ProjectTypes = Pick<Project, 'declarations' | 'writeTypes'>

/** Members that differ between a snapshot and a folder. */
type ProjectContent = Pick<Project, 'folder' | 'pull' | 'compare' | 'load'>

function typesOf(options: ResolvedCatalogOptions): ProjectTypes {
  const declarations = (model: Model) =>
    emitDeclarations(model, {
      ...options,
      stringExports: supportsStringExports(typeScriptVersion(options.root)),
    })
  return {
    declarations,
    async writeTypes(model) {
      const emitted = declarations(model)
      rejectLinkedFolders(options.root, [options.outDir])
      const report = await writeFiles(emitted)
      await replaceFiles(await staleDeclarations(options.outDir, emitted))
      return report
    },
  }
}

const readersOf = (
  options: ResolvedCatalogOptions,
  sources: SourceOpener,
): Pick<Project, 'readFile' | 'createReader'> => ({
  async readFile({ moduleId, language, signal = new AbortController().signal }) {
    const module = sources.moduleName(moduleId)
    if (module === undefined) return undefined
    const id = { language, module }
    const file = await sources.open().source.read(id, { signal })
    return file.status === 'ok'
      ? { ...id, translations: normaliseFile(file.raw, id).translations }
      : undefined
  },
  createReader: ({ onProgress } = {}) =>
    createCatalogReader({ ...options, ...sources.open(onProgress) }),
})

/** Creates a project whose translations are a snapshot of a source. */
function snapshotProject(
  options: ResolvedCatalogOptions,
  {
    environment,
    sources,
    types: { declarations },
  }: {
    readonly environment: Environment
    readonly sources: SourceOpener
    readonly types: ProjectTypes
  },
): ProjectContent {
  const pullInto = async (
    target: LocalPaths,
    call: Partial<Pick<PullOptions, 'signal' | 'onProgress' | 'moduleId' | 'emit'>> = {},
  ): Promise<PullReport> => {
    const { onProgress, ...rest } = call
    const storage = options.cache && (await openCache(options.cache, { ...options, environment }))
    try {
      return await pull({
        ...options,
        ...rest,
        ...target,
        ...sources.open(onProgress),
        ...(storage ? { shared: sharedCache(storage) } : {}),
      })
    } finally {
      // An open cache keeps the process alive. A cache passed by the caller is closed by
      // the caller.
      if (storage && storage !== options.cache) await storage.dispose?.().catch(() => undefined)
    }
  }
  return {
    folder: undefined,
    async pull({ types = false, moduleId, ...call } = {}) {
      let model: Model | undefined
      const report = await pullInto(localPathsOf(options), {
        ...call,
        // Declarations need the translations of all modules.
        ...(moduleId !== undefined && !types && { moduleId }),
        async emit(catalog, changed) {
          if (types) {
            model = modelOf(catalog, options)
            const emitted = declarations(model)
            return [...emitted, ...(await staleDeclarations(options.outDir, emitted))]
          }
          // Unchanged modules were checked when they were pulled.
          const modules = catalog.modules.filter(({ name }) => changed.has(name))
          modelOf({ ...catalog, modules }, options)
          return []
        },
      })
      return model ? { ...report, model } : report
    },
    compare: (call) =>
      compareWithSource({ ...options, cacheDir: join(options.outDir, 'cache') }, (copy) =>
        pullInto(copy, call),
      ),
    async load({ onDrift } = {}) {
      const catalog = await readSnapshot(options, onDrift)
      return onDrift ? buildModel(catalog, options) : modelOf(catalog, options)
    },
  }
}

/** Creates a project whose translations are files of a folder. It has nothing to pull. */
function folderProject(
  options: ResolvedCatalogOptions & { readonly from: ResolvedFolder },
  { writeTypes }: ProjectTypes,
): ProjectContent {
  const folder = openFolder(options, (catalog, before) => modelAfter(before, catalog, options))
  return {
    folder,
    async pull({ types = false } = {}) {
      const { model, problems, files, bytes } = await folder.read()
      await settleKeys(options, model.catalog)
      return {
        languages: model.catalog.languages.length,
        modules: model.catalog.modules.length,
        files,
        bytes,
        unchanged: files,
        written: 0,
        removed: 0,
        ...(types ? { types: await writeTypes(model), model } : {}),
        changed: [],
        reshaped: false,
        lockText: '',
        problems,
      }
    },
    compare: async () => [],
    load: async () => (await folder.read()).model,
  }
}
