import { join } from 'node:path'
import type { Transport } from '@servicekit/client'
import {
  createToolCore,
  type Credentials,
  readCredentials,
  requireService,
} from '@servicekit/client/environment'
import { sleep } from '@servicekit/core'
import type { Clock } from './rate-limiter.ts'
import { configDetails, type LoadedConfig } from './config.ts'
import { emitDeclarations } from './emit/declarations.ts'
import { sourceOfFolder } from './folder-source.ts'
import { openFolder, settleKeys } from './folder/open-folder.ts'
import type { OnInvalidFile } from './folder/read-folder.ts'
import { buildModel, type Model } from './model.ts'
import { modelAfter, modelOf } from './model-of.ts'
import {
  type CatalogOptions,
  type Environment,
  type ResolvedCatalogOptions,
  resolveCatalogOptions,
} from './options.ts'
import { compareWithSource, type Drift, type PullPaths } from './drift.ts'
import { normaliseFile } from './normalise.ts'
import type { Problem } from './problem.ts'
import {
  type ChangedFile,
  pull,
  type PullOptions,
  type PullProgress,
  type PullReport,
} from './pull.ts'
import { type CatalogReader, createCatalogReader } from './live/catalog-reader.ts'
import { rejectLinkedFolders } from './inside.ts'
import { localPathsOf } from './keys/local-keys.ts'
import { replaceFiles } from './replace-files.ts'
import { staleDeclarations } from './stale-declarations.ts'
import { type OnDrift, readSnapshot } from './snapshot.ts'
import { openCache, sharedCache } from './shared-cache.ts'
import { serviceSource, type Source } from './source.ts'
import { supportsStringExports, typeScriptVersion } from './typescript-version.ts'
import { type EmittedFile, writeFiles, type WriteReport } from './write.ts'

/** Dependencies of a project on its environment; those of the process by default. */
export interface ProjectContext {
  readonly environment?: Environment
  readonly clock?: Clock
  /** Source to use instead of the service. */
  readonly source?: Source
  readonly transport?: Transport
  /** Config file that the options come from, for errors about missing options. */
  readonly config?: Pick<LoadedConfig, 'file' | 'searched'>
}

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
  const clock = context.clock ?? { now: Date.now, sleep }
  // Read on demand: commands that send no request need no valid credentials.
  let readOnce: Credentials | undefined
  const credentials = (): Credentials => (readOnce ??= readCredentials(environment))
  const cacheDir = join(resolved.outDir, 'cache')
  /** Module names by id, as listed last. */
  let moduleIds: ReadonlyMap<string, string> = new Map()
  const recordIds = (source: Source): Source => ({
    name: source.name,
    read: (id, call) => source.read(id, call),
    async list(signal) {
      const listing = await source.list(signal)
      moduleIds = listing.moduleIds ?? moduleIds
      return listing
    },
  })
  const openSource = (onProgress?: PullOptions['onProgress']) => {
    let last: PullProgress = { done: 0, total: 0 }
    const onPause = (pauseMs: number): void => onProgress?.({ ...last, pauseMs })
    return {
      source: recordIds(
        context.source ??
          sourceOf(resolved, context, { clock, onPause, credentials: credentials() }),
      ),
      clock: withPauseReports(clock, onPause),
      onProgress(progress: PullProgress): void {
        last = progress
        onProgress?.(progress)
      },
    }
  }
  const pullInto = async (
    target: PullPaths,
    call: Partial<Pick<PullOptions, 'signal' | 'onProgress' | 'moduleId' | 'emit'>> = {},
  ): Promise<PullReport> => {
    const { onProgress, ...rest } = call
    const { source, ...reporting } = openSource(onProgress)
    const storage =
      resolved.cache && (await openCache(resolved.cache, { ...resolved, environment }))
    try {
      return await pull({
        ...resolved,
        ...rest,
        ...target,
        ...reporting,
        source,
        ...(storage ? { shared: sharedCache(storage) } : {}),
      })
    } finally {
      // An open cache keeps the process alive. A cache passed by the caller is closed by
      // the caller.
      if (storage && storage !== resolved.cache) await storage.dispose?.().catch(() => undefined)
    }
  }
  const declarations = (model: Model) =>
    emitDeclarations(model, {
      ...resolved,
      stringExports: supportsStringExports(typeScriptVersion(resolved.root)),
    })
  const writeTypes = async (model: Model): Promise<WriteReport> => {
    const emitted = declarations(model)
    rejectLinkedFolders(resolved.root, [resolved.outDir])
    const report = await writeFiles(emitted)
    await replaceFiles(await staleDeclarations(resolved.outDir, emitted))
    return report
  }
  const { from } = resolved
  const folder =
    context.source || !from
      ? undefined
      : openFolder({ ...resolved, from }, (catalog, before) =>
          modelAfter(before, catalog, resolved),
        )
  /** Reads a folder for a pull, which has nothing to fetch. */
  const readWhole = async ({ read }: ProjectFolder, types: boolean): Promise<PullReport> => {
    const { model, problems, files, bytes } = await read()
    await settleKeys(resolved, model.catalog)
    return {
      languages: model.catalog.languages.length,
      modules: model.catalog.modules.length,
      files,
      bytes,
      unchanged: files,
      written: 0,
      removed: 0,
      ...(types ? { types: await writeTypes(model) } : {}),
      changed: [],
      reshaped: false,
      lockText: '',
      problems,
    }
  }
  return {
    options: resolved,
    declarations,
    folder,
    hasSource:
      context.source !== undefined || (folder === undefined && resolved.baseUrl !== undefined),
    async pull({ types = false, moduleId, ...call } = {}) {
      if (folder) return readWhole(folder, types)
      return pullInto(localPathsOf(resolved), {
        ...call,
        // Declarations need the translations of all modules.
        ...(moduleId !== undefined && !types && { moduleId }),
        async emit(catalog, changed) {
          if (types) {
            const emitted = declarations(modelOf(catalog, resolved))
            return [...emitted, ...(await staleDeclarations(resolved.outDir, emitted))]
          }
          // Unchanged modules were checked when they were pulled.
          const modules = catalog.modules.filter(({ name }) => changed.has(name))
          modelOf({ ...catalog, modules }, resolved)
          return []
        },
      })
    },
    async readFile({ moduleId, language, signal = new AbortController().signal }) {
      const module = moduleIds.get(moduleId)
      if (module === undefined) return undefined
      const id = { language, module }
      const file = await openSource().source.read(id, { signal })
      return file.status === 'ok'
        ? { ...id, translations: normaliseFile(file.raw, id).translations }
        : undefined
    },
    createReader: ({ onProgress } = {}) =>
      createCatalogReader({ ...resolved, ...openSource(onProgress) }),
    compare: async (call) =>
      folder ? [] : compareWithSource({ ...resolved, cacheDir }, (copy) => pullInto(copy, call)),
    async load({ onDrift } = {}) {
      if (folder) return (await folder.read()).model
      const catalog = await readSnapshot(resolved, onDrift)
      return onDrift ? buildModel(catalog, resolved) : modelOf(catalog, resolved)
    },
    writeTypes,
  }
}

interface Connection {
  readonly clock: Clock
  /** Reports a pause to the user. */
  readonly onPause: (ms: number) => void
  readonly credentials: Credentials
}

const withPauseReports = ({ now, sleep }: Clock, onPause: (ms: number) => void): Clock => ({
  now,
  sleep: (ms, signal) => {
    onPause(ms)
    return sleep(ms, signal)
  },
})

function sourceOf(
  options: ResolvedCatalogOptions,
  context: ProjectContext,
  connection: Connection,
): Source {
  return options.from === undefined
    ? connect(options, context, connection)
    : sourceOfFolder(options.from, options)
}

function connect(
  options: ResolvedCatalogOptions,
  { transport, config, environment = process.env }: ProjectContext,
  { clock, onPause, credentials }: Connection,
): Source {
  const core = createToolCore({
    ...requireService(options, { details: config && configDetails(config) }),
    timeoutMs: options.timeoutMs,
    maxBytes: options.maxBytes,
    hooks: {
      retry: (_, { status, pauseMs }) => {
        if (status === 429) onPause(pauseMs)
      },
    },
    runtime: clock,
    environment,
    credentials,
    ...(transport && { transport }),
  })
  return serviceSource(core, options)
}
