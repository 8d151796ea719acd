import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { templateUrl } from '../assets.ts'
import { migrationsHash } from './migrations-hash.ts'
import { readTar, type TarEntry } from './tar.ts'

/** Major version of PostgreSQL that PGlite 0.5 is. */
export const postgresMajor = '18'

/** The prepared data directory: an archive in a buffer of its own, and what is in it. */
export interface Template {
  readonly bytes: Uint8Array
  readonly entries: readonly TarEntry[]
}

/**
 * Reads the prepared data directory. A fresh one takes PGlite seconds to make, so
 * the build makes it. From the sources it is made the first time and kept in
 * `node_modules/.cache`, under a name that changes with all that it depends on.
 */
export async function loadTemplate(): Promise<Template> {
  const packed = (await readOrNothing(fileURLToPath(templateUrl))) ?? (await loadCached())
  const bytes = new Uint8Array(await promisify(gunzip)(packed))
  return { bytes, entries: [...readTar(bytes)] }
}

async function loadCached(): Promise<Uint8Array> {
  const path = await cachePath()
  const found = await readOrNothing(path)
  if (found) return found
  const { makeTemplate } = await import('./make-template.ts')
  const made = await makeTemplate()
  await mkdir(dirname(path), { recursive: true })
  // Several processes may get here at once; a reader sees a whole file or none.
  const unfinished = `${path}.${randomUUID()}`
  await writeFile(unfinished, made)
  await rename(unfinished, path)
  return made
}

async function cachePath(): Promise<string> {
  const require = createRequire(import.meta.url)
  const pglite = dirname(require.resolve('@electric-sql/pglite'))
  const manifest = await readFile(join(pglite, '..', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const sources = dirname(fileURLToPath(import.meta.url))
  const maker = await readOrNothing(join(sources, 'make-template.ts'))
  const hash = createHash('sha256')
    .update(`${version} ${migrationsHash()}`)
    .update(maker ?? '')
    .digest('hex')
  return join(sources, '../../node_modules/.cache', `template-${hash.slice(0, 16)}.tar.gz`)
}

const readOrNothing = (path: string): Promise<Uint8Array | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
