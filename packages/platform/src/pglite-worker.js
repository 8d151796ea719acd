/**
 * The thread in which PGlite runs. It takes wire-protocol bytes and answers
 * wire-protocol bytes, one batch at a time.
 *
 * Plain JavaScript, because Node 20 loads a worker from the sources only if it
 * needs no translation. It stands at the root of `src` so that the address
 * relative to the built bundle is the same.
 */
import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'

/**
 * A data directory in memory that begins as a copy of the template. PGlite can
 * load an archive itself, and copies it three times over to do so.
 */
class TemplateFS extends MemoryFS {
  /** @param {{bytes: Uint8Array, entries: {path: string, isFolder: boolean, start: number, size: number}[]}} template */
  constructor(template) {
    super()
    this.template = template
  }

  async init(pg, options) {
    const { emscriptenOpts } = await super.init(pg, options)
    const fill = ({ FS }) => {
      const root = PGlite.paths.PGDATA
      FS.mkdirTree(root, 0o700)
      for (const { path, isFolder, start, size } of this.template.entries) {
        if (isFolder) {
          FS.mkdir(`${root}/${path}`, 0o700)
        } else {
          // The file system takes the bytes over instead of copying them.
          const bytes = this.template.bytes.subarray(start, start + size)
          FS.writeFile(`${root}/${path}`, bytes, { canOwn: true })
          FS.chmod(`${root}/${path}`, 0o600)
        }
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...emscriptenOpts.preRun, fill] } }
  }
}

/** PGlite asks for the array types to read results with, which here the driver does. */
class WirePGlite extends PGlite {
  async _initArrayTypes() {}
}

async function start() {
  /** @type {[{dataDir?: string, template?: ConstructorParameters<typeof TemplateFS>[0]}]} */
  const [{ dataDir, template }] = await once(parentPort, 'message')
  const pg = new WirePGlite(template ? { fs: new TemplateFS(template) } : { dataDir })
  await pg.waitReady
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
    parentPort.postMessage({ bytes: reply }, [reply.buffer])
  }

  parentPort.on('message', (message) => {
    queue = queue
      .then(() =>
        message.close ? pg.close().then(() => parentPort.close()) : answer(message.bytes),
      )
      .catch(tellFailure)
  })
  parentPort.postMessage({ isReady: true })
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
const tellFailure = (error) => {
  const failure = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)
  parentPort.postMessage({ failure })
}

start().catch(tellFailure)
