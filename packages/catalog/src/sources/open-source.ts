import {
  createToolCore,
  type Credentials,
  readCredentials,
  requireService,
} from '@servicekit/client/environment'
import type { Transport } from '@servicekit/client'
import { once, sleep } from '@servicekit/core'
import { configDetails, type LoadedConfig } from '../config/config.ts'
import { sourceOfFolder } from './folder-source.ts'
import type { Environment, ResolvedCatalogOptions } from '../config/options.ts'
import { type PullProgress, serviceSource, type Source } from './source.ts'
import type { Clock } from './rate-limiter.ts'

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

/** Source for one pull, with a clock and a listener that report pauses. */
interface OpenSource {
  readonly source: Source
  readonly clock: Clock
  readonly onProgress: (progress: PullProgress) => void
}

/** Opens the source of a project, once for each pull. */
export interface SourceOpener {
  readonly open: (onProgress?: (progress: PullProgress) => void) => OpenSource
  /** Returns the name of a module by its id, as the source listed it last. */
  readonly moduleName: (id: string) => string | undefined
}

/** Creates the opener of the source that the options select, or of `context.source`. */
export function sourceOpener(
  options: ResolvedCatalogOptions,
  context: ProjectContext & { readonly environment: Environment },
): SourceOpener {
  const clock = context.clock ?? { now: Date.now, sleep }
  // Read on demand: commands that send no request need no valid credentials.
  const credentials = once(() => readCredentials(context.environment))
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
  return {
    moduleName: (id) => moduleIds.get(id),
    open(onProgress) {
      let last: PullProgress = { done: 0, total: 0 }
      const onPause = (pauseMs: number): void => onProgress?.({ ...last, pauseMs })
      const source =
        context.source ??
        (options.from
          ? sourceOfFolder(options.from, options)
          : connect(options, context, { clock, onPause, credentials: credentials() }))
      return {
        source: recordIds(source),
        clock: withPauseReports(clock, onPause),
        onProgress(progress) {
          last = progress
          onProgress?.(progress)
        },
      }
    },
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

function connect(
  options: ResolvedCatalogOptions,
  { transport, config, environment }: ProjectContext & { readonly environment: Environment },
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
