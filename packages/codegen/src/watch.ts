import { invalidValue, sleep } from '@servicekit/core'
import { type CodegenEvent, runCodegen } from './generate.ts'
import { CodegenError } from './errors.ts'
import type { GenerateOptions } from './options.ts'

export interface WatchOptions extends Omit<GenerateOptions, 'check' | 'frozen'> {
  /**
   * Interval between reads of the listing in milliseconds, 5000 by default: 12 requests a
   * minute of about 120.
   */
  readonly intervalMs?: number | undefined
  /**
   * Maximum interval while nothing changes or the service fails, in milliseconds; 60000
   * by default.
   */
  readonly maxIntervalMs?: number | undefined
  /** Aborting it ends the watch. */
  readonly signal?: AbortSignal | undefined
}

/** Events of each run, and those between runs. */
export type WatchEvent =
  | CodegenEvent
  /** Emitted when a run failed. The files are unchanged, and the next run follows later. */
  | { readonly type: 'failed'; readonly error: CodegenError }
  | { readonly type: 'waiting'; readonly ms: number }

/**
 * Generates, and again whenever the listing has changed. Writes only modules that
 * changed. The interval grows by half while nothing changes, doubles while the service
 * fails, and is reset by a change.
 *
 * ```ts
 * for await (const event of runWatch({ baseUrl, projectKey, outDir: 'src/gateway', signal })) {
 *   if (event.type === 'done' && !event.report.isCurrent) console.log(event.report.written)
 * }
 * ```
 *
 * Ends when `signal` is aborted.
 *
 * @throws CodegenError CONFIG_INVALID, and the errors of the first run
 */
export async function* runWatch(
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const { intervalMs = 5000, maxIntervalMs = 60_000, ...rest } = options
  for (const [name, value] of Object.entries({ intervalMs, maxIntervalMs })) {
    if (Number.isFinite(value) && value > 0) continue
    throw new CodegenError(invalidValue(name, 'a positive number', value), {
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
      // Errors of the first run must be fixed by the caller.
      if (run === 1 || !(error instanceof CodegenError)) throw error
      isFailed = true
      yield { type: 'failed', error }
    }
    const longer = isFailed ? wait * 2 : isCurrent ? wait * 1.5 : intervalMs
    // The first run does not show how often the listing changes.
    wait = run === 1 ? intervalMs : Math.min(Math.max(longer, intervalMs), maxIntervalMs)
    yield { type: 'waiting', ms: wait }
    try {
      await sleep(wait, signal)
    } catch {
      return
    }
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true
