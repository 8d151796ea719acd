import { keyLanguage } from '@servicekit/contract/limits'
import { ConfigError, type Core, type LocalizationFamily, RequestError } from '@servicekit/client'
import { getFile, listLanguages, listModules } from '@servicekit/client/localization'
import { unknownName } from '@servicekit/core'
import type { FileId } from '../model/normalise.ts'
import type { Problem } from '../model/problem.ts'

/** Languages and modules of a source. */
export interface SourceListing {
  readonly languages: readonly {
    readonly code: string
    readonly name: string
    readonly isDefault: boolean
  }[]
  readonly modules: readonly string[]
  /** Module names by id, if the source has ids. Events use these ids. */
  readonly moduleIds?: ReadonlyMap<string, string>
  /** Problems of its files, if the listing reads them. */
  readonly problems?: readonly Problem[]
}

/** Response of a source for a file, before it is normalised. */
export type SourceFile =
  | {
      readonly status: 'ok'
      readonly raw: Readonly<Record<string, unknown>>
      readonly etag: string | undefined
    }
  /** Not modified since the ETag that was sent. */
  | { readonly status: 'unchanged' }
  /** File that does not exist in the source. The service responds with an empty body. */
  | { readonly status: 'empty' }

/** Source of translations. */
export interface Source {
  /** Name for messages: `project P1 at https://…`. */
  readonly name: string
  readonly list: (signal: AbortSignal) => Promise<SourceListing>
  readonly read: (
    id: FileId,
    options: { readonly etag?: string; readonly signal: AbortSignal },
  ) => Promise<SourceFile>
}

/**
 * Creates a source that reads from the service. It omits the special language `key`,
 * which has no translations. Services without a module list need the option `modules`.
 */
export function serviceSource(
  core: Core,
  options: {
    readonly family: LocalizationFamily
    readonly modules: readonly string[] | undefined
  },
): Source {
  const { family } = options
  return {
    name: `project ${core.projectKey} at ${core.baseUrl}`,
    async list(signal) {
      const [languages, listed] = await Promise.all([
        listLanguages(core, { family, signal }),
        options.modules ? undefined : modulesOf(core, family, signal),
      ])
      return {
        languages: languages.filter(({ code }) => code !== keyLanguage),
        modules: options.modules ?? listed!.map(({ name }) => name),
        ...(listed === undefined
          ? {}
          : { moduleIds: new Map(listed.map(({ itemId = '', name }) => [itemId, name])) }),
      }
    },
    async read(id, { etag, signal }) {
      const query = { ...id, ...(etag === undefined ? {} : { etag }) }
      let file: Awaited<ReturnType<typeof getFile>>
      try {
        file = await getFile(core, query, { family, signal })
      } catch (error) {
        throw options.modules ? await unknownModule(error, { core, family, id, signal }) : error
      }
      if (file.status === 'unchanged') return file
      if (file.translations === undefined) return { status: 'empty' }
      return { status: 'ok', raw: file.translations, etag: file.etag }
    },
  }
}

/** Returns the error for a module that the service does not list; otherwise the given error. */
async function unknownModule(
  error: unknown,
  {
    core,
    family,
    id,
    signal,
  }: {
    readonly core: Core
    readonly family: LocalizationFamily
    readonly id: FileId
    readonly signal: AbortSignal
  },
): Promise<unknown> {
  if (!(error instanceof RequestError) || (error.status !== 400 && error.status !== 404))
    return error
  let names: readonly string[]
  try {
    names = (await listModules(core, { family, signal })).map(({ name }) => name)
  } catch {
    // A service without a list of modules.
    return error
  }
  if (names.includes(id.module)) return error
  return new ConfigError(unknownName('module', id.module, names), {
    details: { project: core.projectKey, baseUrl: core.baseUrl },
    help: 'Correct the option modules.',
    cause: error,
  })
}

async function modulesOf(
  core: Core,
  family: LocalizationFamily,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof listModules>>> {
  try {
    return await listModules(core, { family, signal })
  } catch (error) {
    // 404 can also mean an unknown project. Listing the languages reports that error
    // first.
    if (!(error instanceof RequestError) || error.status !== 404) throw error
    await listLanguages(core, { family, signal })
    throw new ConfigError('The service has no list of modules', {
      details: { project: core.projectKey, baseUrl: core.baseUrl },
      help: 'List them in the option modules, e.g. ["auth", "cart"].',
      cause: error,
    })
  }
}

/** Progress of a pull: first the total number of files, then each completed file. */
export interface PullProgress {
  readonly done: number
  readonly total: number
  /** Set while requests pause for a rate limit: duration in milliseconds. */
  readonly pauseMs?: number
  /** File that was just completed; undefined at the start. */
  readonly file?: {
    readonly language: string
    readonly module: string
    readonly state: 'fetched' | 'unchanged' | 'empty'
  }
}
