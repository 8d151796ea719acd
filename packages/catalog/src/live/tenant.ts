import { createHash } from 'node:crypto'
import { receive, type Receiver } from '@servicekit/client/webhooks'
import type { ServiceOptions } from '@servicekit/contract/service'
import type { CatalogOptions } from '../config/options.ts'
import type { Problem } from '../model/problem.ts'
import { openProject } from '../project/project.ts'
import type { BuildManifest } from './build-manifest.ts'
import type { PackStorage } from './pack-storage.ts'
import { printPointer, repack } from './repack.ts'

/** Project whose translations a tenant sees. */
export type TenantProject = ServiceOptions &
  Pick<
    CatalogOptions,
    | 'family'
    | 'languages'
    | 'modules'
    | 'defaultLanguage'
    | 'concurrency'
    | 'requestsPerMinute'
    | 'timeoutMs'
    | 'maxBytes'
  > & {
    /** Header that requests of the project's webhook must have. Without it, none is accepted. */
    readonly webhook?: { readonly headerKey: string; readonly secret: string }
  }

/** Packs of a build for one project. */
export interface Tenant {
  /**
   * Resolves with the newest packs; with the last ones if the service is unavailable.
   *
   * @throws RequestError, ResponseShapeError, ConfigError if there are none yet.
   */
  readonly newest: () => Promise<Compiled>
  /** Returns a pack, also an older one if it is stored; undefined if there is none. */
  readonly pack: (file: string) => Promise<string | undefined>
  /** Receives events of the project; undefined without a webhook. */
  readonly receive: Receiver | undefined
}

interface Compiled {
  /** Content of the pointer. */
  readonly pointer: string
  readonly etag: string
  /** Packs by file name. */
  readonly packs: ReadonlyMap<string, string>
}

interface TenantOptions {
  readonly manifest: BuildManifest
  readonly maxAgeMs: number
  readonly storage: PackStorage
  readonly onProblems: (problems: readonly Problem[]) => void
  readonly onError: (error: unknown) => void
}

/** Pause in milliseconds before another request to an unavailable service. */
const retryMs = 5000

/** Creates the packs of one project, compiled when they are requested. */
export function createTenant(
  { webhook, ...project }: TenantProject,
  { manifest, maxAgeMs, storage, onProblems, onError }: TenantOptions,
): Tenant {
  // No environment variable may replace the project of a tenant.
  const reader = openProject(project, { environment: {} }).createReader()
  const modules = Object.keys(manifest.messages)
  let current: Compiled | undefined
  let nextMs = 0
  let compiling: Promise<void> | undefined
  let isOutdated = true
  /** Ids of the modules that changed since the last read; undefined for all of them. */
  let changed: Set<string> | undefined = new Set()

  const compile = async (): Promise<void> => {
    const ids = changed
    changed = new Set()
    // More than one module is read as a whole, which costs only a request per file.
    const [moduleId] = ids?.size === 1 ? ids : []
    const { catalog, problems, isChanged } = await reader.read({ modules, moduleId })
    isOutdated ||= isChanged
    if (current && !isOutdated) return
    const repacked = repack(manifest, catalog)
    await Promise.all(repacked.packs.map(({ name, source }) => storage.set(name, source))).catch(
      onError,
    )
    const pointer = printPointer(repacked.pointer)
    const hash = createHash('sha256').update(pointer).digest('base64url').slice(0, 22)
    current = {
      pointer,
      etag: `"${hash}"`,
      packs: new Map(repacked.packs.map(({ name, source }) => [name, source])),
    }
    isOutdated = false
    const all = [...problems, ...repacked.problems]
    if (all.length > 0) onProblems(all)
  }
  const hasChanges = (): boolean => changed === undefined || changed.size > 0
  const update = async (): Promise<void> => {
    try {
      // Events may arrive while the translations are being read.
      do {
        await compile()
      } while (hasChanges())
      nextMs = Date.now() + maxAgeMs
    } catch (error) {
      changed = undefined
      nextMs = Date.now() + retryMs
      throw error
    }
  }
  /** Compiles once for all concurrent requests. */
  const updateOnce = (): Promise<void> =>
    (compiling ??= update().finally(() => {
      compiling = undefined
    }))

  const newest = async (): Promise<Compiled> => {
    try {
      if (compiling || Date.now() >= nextMs) await updateOnce()
    } catch (error) {
      if (!current) throw error
      onError(error)
    }
    if (current) return current
    await updateOnce()
    return current!
  }
  const refresh = (moduleId?: string | null): void => {
    if (moduleId) changed?.add(moduleId)
    else changed = undefined
    nextMs = 0
    // A concurrent request of a page waits for the result.
    updateOnce().catch(onError)
  }
  return {
    newest,
    async pack(file) {
      const known = current?.packs.get(file) ?? (await storage.get(file).catch(onError))
      return known ?? (await newest()).packs.get(file)
    },
    receive:
      webhook &&
      receive(webhook, {
        GenerateUilmFilesEvent: (event) => refresh(event.GenerateUilmFilesEvent.ModuleId),
        TranslateAllEvent: () => refresh(),
        UilmImportEvent: () => refresh(),
      }),
  }
}
