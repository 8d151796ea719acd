import { keyLanguage } from '@servicekit/contract/limits'
import { ConfigError, type Core, type LocalizationFamily, RequestError } from '@servicekit/client'
import { getFile, listLanguages, listModules } from '@servicekit/client/localization'

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
    place: { readonly language: string; readonly module: string },
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
    async read(place, { etag, signal }) {
      const answer = await getFile(
        core,
        { ...place, ...(etag === undefined ? {} : { etag }) },
        { family, signal },
      )
      if (answer.status === 'unchanged') return answer
      if (answer.translations === undefined) return { status: 'empty' }
      return { status: 'ok', raw: answer.translations, etag: answer.etag }
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
    throw new ConfigError('This instance does not list its modules', {
      details: { project: core.projectKey, baseUrl: core.baseUrl },
      help: 'Name them in the option modules, such as ["auth", "cart"].',
      cause: error,
    })
  }
}
