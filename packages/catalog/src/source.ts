import { keyLanguage } from '@servicekit/contract/limits'
import { ConfigError, type Core, type LocalizationFamily, RequestError } from '@servicekit/client'
import { getFile, listLanguages, listModules } from '@servicekit/client/localization'
import type { FileId } from './normalise.ts'

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
      const file = await getFile(
        core,
        { ...id, ...(etag === undefined ? {} : { etag }) },
        { family, signal },
      )
      if (file.status === 'unchanged') return file
      if (file.translations === undefined) return { status: 'empty' }
      return { status: 'ok', raw: file.translations, etag: file.etag }
    },
  }
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
