import type { PGlite } from '@electric-sql/pglite'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../assets.ts'
import { PlatformError } from '../errors.ts'
import type { EngineConfig } from './database.ts'

export interface PgliteSource {
  readonly dataDir?: string | undefined
  /** Path of the archive that fills the folder or the memory first. */
  readonly template?: string | undefined
}

/*
 * The thread receives requests by messages. `@electric-sql/pglite-socket` would use a
 * socket instead, but it needs seven extension packages, and its requests never end after
 * an error of the engine.
 */

/** Messages that PostgreSQL responds to at once: simple query, sync and terminate. */
const endsBatch = ([type]: Uint8Array): boolean => type === 0x51 || type === 0x53 || type === 0x58

/**
 * Starts PGlite in a thread.
 *
 * @throws PlatformError `DATABASE_FAILED` if the data cannot be opened.
 */
export async function startPglite(
  source: PgliteSource,
  onStopped: (error: Error) => void = () => {},
): Promise<EngineConfig> {
  // Options of this process, such as a loader, are not for the thread.
  const worker = new Worker(workerUrl, { workerData: source, execArgv: [] })
  const ended = new AbortController()
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  let isClosing = false
  const end = (cause: unknown): void => {
    if (ended.signal.aborted) return
    const error = stopped(cause)
    ended.abort(error)
    if (!isClosing) onStopped(error)
  }
  worker.on('error', end)
  worker.on('exit', (code) => end(new Error(`The thread ended with code ${code}.`)))

  const receive = async (): Promise<unknown> => {
    try {
      const [message] = (await once(worker, 'message', { signal: ended.signal })) as [unknown]
      return message
    } catch {
      throw ended.signal.reason
    }
  }
  const requests: Uint8Array[] = []
  const execProtocolStream: PGlite['execProtocolStream'] = async (request) => {
    requests.push(request)
    if (!endsBatch(request)) return []
    // Copied, because a small buffer is a part of a larger one.
    const batch = new Uint8Array(Buffer.concat(requests.splice(0)))
    worker.postMessage(batch, [batch.buffer])
    const messages = (await receive()) as Awaited<ReturnType<PGlite['execProtocolStream']>>
    return messages.map((one) => (one.name === 'error' ? Object.assign(new Error(), one) : one))
  }
  const close = async (): Promise<void> => {
    isClosing = true
    if (!ended.signal.aborted) worker.postMessage('close')
    await exited
  }
  /** Resolves with an archive of the data; call it while no statement runs. */
  const dump = async (): Promise<Uint8Array> => {
    worker.postMessage('dump')
    return new Uint8Array((await receive()) as ArrayBuffer)
  }
  const starting = receive()
  const parts = embeddedParts({ execProtocolStream, waitReady: Promise.resolve() }, close)
  await starting
  return { ...(await parts), dump }
}

const stopped = (cause: unknown): PlatformError =>
  new PlatformError('DATABASE_FAILED', 'The embedded database stopped.', {
    cause,
    details: { reason: (cause as Error).message },
    help: 'Make sure that the disk of the data folder has free space, and start the process again. Acknowledged changes are kept.',
  })

/** Connects the driver of PostgreSQL servers to PGlite, by PGlite's adapter for it. */
export async function embeddedParts(
  pglite: Pick<PGlite, 'execProtocolStream' | 'waitReady'>,
  close: () => Promise<void>,
): Promise<EngineConfig> {
  // Takes a while to load, during which the thread starts.
  const { createPgConfig } = await import('@electric-sql/pglite/node-postgres')
  const { connection, ...config } = createPgConfig(pglite as PGlite)
  const parse = connection.parse.bind(connection)
  // Drizzle passes parsers of results as `types`, which the adapter mistakes for the types
  // of parameters.
  connection.parse = (query: object) => parse({ ...query, types: [] })
  // PGlite has a single session, so the pool queues all other clients.
  const pool = { ...config, connection, max: 1, idleTimeoutMillis: 0 }
  return { engine: 'pglite', pool, close }
}
