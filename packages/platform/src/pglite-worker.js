/**
 * The thread in which PGlite runs. It takes wire-protocol bytes and answers
 * wire-protocol bytes, one batch at a time.
 *
 * Plain JavaScript, because Node 20 loads a worker from the sources only if it
 * needs no translation. It stands at the root of `src` so that the address
 * relative to the built bundle is the same.
 */
import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'

/**
 * A data directory in memory that begins as a copy of the template. PGlite can
 * load an archive itself, and copies it three times over to do so.
 */
class TemplateFS extends MemoryFS {
  /** @param {string} path of a gzipped pack; `pack.ts` describes it. */
  constructor(path) {
    super()
    const pack = gunzipSync(readFileSync(path))
    const end = pack.indexOf(10)
    this.entries = JSON.parse(pack.toString('utf8', 0, end))
    this.bytes = new Uint8Array(pack.buffer, pack.byteOffset + end + 1, pack.length - end - 1)
  }

  async init(pg, options) {
    const { emscriptenOpts } = await super.init(pg, options)
    const fill = ({ FS }) => {
      const root = PGlite.paths.PGDATA
      FS.mkdirTree(root, 0o700)
      for (const { path, isFolder, start, size } of this.entries) {
        if (isFolder) {
          FS.mkdir(`${root}/${path}`, 0o700)
        } else {
          // The file system takes the bytes over instead of copying them.
          const bytes = this.bytes.subarray(start, start + size)
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

/** V8's default budget before it optimises a WebAssembly function: V8 11 of Node 20, and later. */
const usualPatience = process.versions.v8.startsWith('11.') ? 1_800_000 : 13_000_000

/**
 * Compiles PostgreSQL with V8's baseline compiler, which is as fast for what a
 * local platform does. The optimising one would begin while PostgreSQL starts,
 * take longer than starting, and hold up to 400 MB. A module keeps the patience
 * that was set when it was made, so it is as usual again for all others.
 */
async function patiently(work) {
  setFlagsFromString('--wasm-tiering-budget=2000000000')
  try {
    return await work()
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${usualPatience}`)
  }
}

async function start() {
  /** @type {{dataDir?: string, templatePath?: string}} */
  const { dataDir, templatePath } = workerData
  const pg = await patiently(async () => {
    const pglite = new WirePGlite(templatePath ? { fs: new TemplateFS(templatePath) } : { dataDir })
    await pglite.waitReady
    return pglite
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
