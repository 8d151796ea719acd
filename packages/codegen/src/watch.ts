import { setTimeout } from 'node:timers/promises'
import { type CodegenEvent, runCodegen } from './command.ts'
import { CodegenError } from './errors.ts'
import type { GenerateOptions } from './options.ts'

export interface WatchOptions extends Omit<GenerateOptions, 'check' | 'offline'> {
  /** Between two looks at the listing, 5000 by default: 12 requests a minute of about 120. */
  readonly intervalMs?: number | undefined
  /** Most time between two looks, while nothing changes or nothing answers; 60000 by default. */
  readonly maxIntervalMs?: number | undefined
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined
}

/** The events of each run, and what comes between runs. */
export type WatchEvent =
  | CodegenEvent
  /** A run failed; the files are as they were, and the next run comes later. */
  | { readonly type: 'failed'; readonly error: CodegenError }
  | { readonly type: 'waiting'; readonly ms: number }

/**
 * Generates, and again whenever the listing changed. Only modules that changed are
 * written. The wait grows by half while nothing changes, doubles while the service
 * fails, and starts anew with a change.
 *
 * ```ts
 * for await (const event of runWatch({ baseUrl, projectKey, outDir: 'src/gateway', signal })) {
 *   if (event.type === 'done' && !event.report.isCurrent) console.log(event.report.written)
 * }
 * ```
 *
 * It ends when `signal` aborts.
 *
 * @throws CodegenError CONFIG_INVALID, and what the first run throws
 */
export async function* runWatch(
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const { intervalMs = 5000, maxIntervalMs = 60_000, ...rest } = options
  for (const [name, value] of Object.entries({ intervalMs, maxIntervalMs })) {
    if (Number.isFinite(value) && value > 0) continue
    throw new CodegenError(`${name} ${value} is no time in milliseconds`, {
      code: 'CONFIG_INVALID',
    })
  }
  const { signal } = options
  let wait = intervalMs
  for (let run = 1; !isAborted(signal); run++) {
    let isCurrent = false
    let isFailed = false
    try {
      for await (const event of runCodegen(rest)) {
        if (event.type === 'done') isCurrent = event.report.isCurrent
        yield event
      }
    } catch (error) {
      if (isAborted(signal)) return
      // What is wrong from the start is the caller's to mend.
      if (run === 1 || !(error instanceof CodegenError)) throw error
      isFailed = true
      yield { type: 'failed', error }
    }
    const longer = isFailed ? wait * 2 : isCurrent ? wait * 1.5 : intervalMs
    // The first run says nothing about how lively the listing is.
    wait = run === 1 ? intervalMs : Math.min(Math.max(longer, intervalMs), maxIntervalMs)
    yield { type: 'waiting', ms: wait }
    try {
      await setTimeout(wait, undefined, signal === undefined ? {} : { signal })
    } catch {
      return
    }
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true
