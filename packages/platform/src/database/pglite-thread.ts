import { Worker } from 'node:worker_threads'
import { PlatformError } from '../errors.ts'
import { workerUrl } from '../assets.ts'
import type { WireEngine } from './pglite-socket.ts'
import type { Template } from './template.ts'

/** What PGlite is started on: a folder, or a copy of the template in memory. */
export type PgliteSource = { readonly dataDir: string } | { readonly template: Template }

/** PGlite in its thread. */
export interface PgliteThread extends WireEngine {
  /** Ends PGlite in order; its folder is consistent even where this never ran. */
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: Error) => void
}

type Message = { bytes: Uint8Array } | { isReady: true } | { failure: string }

/**
 * Starts PGlite in a worker thread, so that no query holds up the event loop. The
 * thread begins at once, and takes the source when it is there.
 *
 * @throws PlatformError `DATABASE_FAILED` when the data cannot be opened.
 */
export async function startPglite(source: Promise<PgliteSource>): Promise<PgliteThread> {
  const worker = new Worker(workerUrl, {
    // Flags of this process, such as a loader or an input type, are not meant for the thread.
    execArgv: [],
    // The thread makes little garbage, and mostly holds what is outside of its heap.
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
    const given = await source
    const moved = 'template' in given ? [given.template.bytes.buffer as ArrayBuffer] : []
    worker.postMessage(given, moved)
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
