/**
 * The thread in which PGlite runs. It takes wire-protocol bytes and answers
 * wire-protocol bytes, one batch at a time.
 *
 * Plain JavaScript, because Node 20 loads a worker from the sources only if it
 * needs no translation. It stands at the root of `src` so that the address
 * relative to the built bundle is the same.
 */
import { PGlite } from '@electric-sql/pglite'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {{dataDir?: string, template?: Uint8Array, settings: Record<string, string>}} */
const { dataDir, template, settings } = workerData

/** Tells the main thread; what can be moved is moved instead of copied. */
const tell = (message, transfer) => parentPort.postMessage(message, transfer)

async function start() {
  const pg = await PGlite.create({
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(template === undefined ? {} : { loadDataDir: new Blob([template]) }),
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  })
  let queue = Promise.resolve()
  let isUsed = false

  /** A new client takes over the one session: nothing of the last one may stay. */
  const resetSession = async () => {
    if (isUsed) {
      await run(simpleQuery('ROLLBACK'))
      await run(simpleQuery('DISCARD ALL'))
    }
    isUsed = true
  }

  const run = async (bytes) => {
    const chunks = []
    await pg.execProtocolRawStream(bytes, {
      onRawData: (chunk) => chunks.push(chunk.slice()),
    })
    return chunks.length === 1 ? chunks[0] : concat(chunks)
  }

  const answer = async (bytes) => {
    if (bytes[0] === 0) await resetSession()
    const reply = await run(bytes)
    tell({ bytes: reply }, [reply.buffer])
  }

  parentPort.on('message', (message) => {
    queue = queue
      .then(() =>
        message.close ? pg.close().then(() => parentPort.close()) : answer(message.bytes),
      )
      .catch((error) => tell({ failure: describe(error) }))
  })
  tell({ isReady: true })
}

const concat = (chunks) => {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

const simpleQuery = (sql) => {
  const text = new TextEncoder().encode(sql)
  const bytes = new Uint8Array(text.length + 6)
  bytes[0] = 0x51
  new DataView(bytes.buffer).setUint32(1, text.length + 5)
  bytes.set(text, 5)
  return bytes
}

/** PGlite throws WebAssembly traps and bare exit codes beside errors. */
const describe = (error) =>
  error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)

start().catch((error) => tell({ failure: describe(error) }))
