import { Worker } from 'node:worker_threads'
import { PlatformError } from '../errors.ts'
import { workerUrl } from '../assets.ts'
import type { WireEngine } from './pglite-socket.ts'

/** Data that PGlite starts from: a folder, or a template file that is copied to memory. */
export type PgliteSource = { readonly dataDir: string } | { readonly templatePath: string }

/** PGlite in a worker thread. */
export interface PgliteThread extends WireEngine {
  /** Shuts down PGlite cleanly. Without this, its folder is still consistent. */
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: Error) => void
}

type Message = { bytes: Uint8Array } | { isReady: true } | { failure: string }

/**
 * Starts PGlite in a worker thread, so that queries do not block the event loop. The
 * thread reads its source itself, because the main thread is busy during startup.
 *
 * @throws PlatformError `DATABASE_FAILED` if the data cannot be opened.
 */
export async function startPglite(source: PgliteSource): Promise<PgliteThread> {
  const worker = new Worker(workerUrl, {
    workerData: source,
    // Do not pass flags of this process, such as a loader or an input type, to the
    // thread.
    execArgv: [],
    // The thread creates little garbage, and most of its memory is outside of its heap.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  const waiting: Waiting[] = []
  let failure: PlatformError | undefined
  let isReady: (value: void) => void
  let hasFailed: (error: Error) => void
  const ready = new Promise<void>((resolve, reject) => {
    isReady = resolve
    hasFailed = reject
  })
  ready.catch(() => {})
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  const fail = (cause: unknown): void => {
    failure ??= new PlatformError('DATABASE_FAILED', 'The embedded database stopped.', {
      cause,
    })
    hasFailed(failure)
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  worker.on('message', (message: Message) => {
    if ('isReady' in message) isReady()
    else if ('failure' in message) fail(new Error(message.failure))
    else waiting.shift()?.resolve(message.bytes)
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`The thread ended with code ${code}.`)))
  try {
    await ready
  } catch (error) {
    await worker.terminate()
    throw error
  }

  return {
    exchange: (batch) => {
      if (failure) return Promise.reject(failure)
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        worker.postMessage({ bytes: batch }, [batch.buffer as ArrayBuffer])
      })
    },
    close: async () => {
      if (!failure) worker.postMessage({ close: true })
      await exited
    },
  }
}
