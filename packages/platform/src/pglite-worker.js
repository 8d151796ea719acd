/**
 * Thread in which PGlite runs, so that it starts while the platform loads, and queries do
 * not block the event loop. It receives the messages of the driver and responds with those
 * of PostgreSQL.
 *
 * JavaScript, because Node 20 cannot load a worker from TypeScript. It is in the root of
 * `src`, so that its URL relative to the bundle is the same.
 */
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'

/** Default of V8's option `--wasm-tiering-budget`: in Node 20, and in later versions. */
const defaultBudget = process.versions.v8.startsWith('11.') ? 1_800_000 : 13_000_000

/** @type {{ dataDir?: string, template?: string }} */
const { dataDir, template } = workerData

// Otherwise V8 optimises PostgreSQL while it starts, which takes 1.1 s of processor time
// instead of 0.55 s. A WebAssembly module keeps the budget that it was loaded with.
setFlagsFromString('--wasm-tiering-budget=2000000000')
const pglite = await PGlite.create({
  dataDir,
  extensions: { btree_gist, pg_trgm },
  ...(template ? { loadDataDir: new Blob([gunzipSync(readFileSync(template))]) } : {}),
})
setFlagsFromString(`--wasm-tiering-budget=${defaultBudget}`)

parentPort.on('message', async (bytes) => {
  if (bytes === 'close') {
    await pglite.close()
    parentPort.close()
    return
  }
  if (bytes === 'dump') {
    const archive = await (await pglite.dumpDataDir('none')).arrayBuffer()
    parentPort.postMessage(archive, [archive])
    return
  }
  const messages = await pglite.execProtocolStream(bytes, { throwOnError: false })
  // A server would restart now; PGlite would go on and not respond to all requests.
  const fatal = messages.find(({ severity }) => severity === 'FATAL' || severity === 'PANIC')
  if (fatal) throw fatal
  // A cloned error would lose its code.
  parentPort.postMessage(
    messages.map((one) => (one instanceof Error ? { ...one, message: one.message } : one)),
  )
})
parentPort.postMessage('ready')
