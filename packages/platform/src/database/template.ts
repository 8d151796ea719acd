import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { templateUrl } from '../assets.ts'
import { migrationsHash } from './migrations-hash.ts'
import { type PackInput, readPack } from './pack.ts'

/** Major version of PostgreSQL in PGlite 0.5. */
export const postgresMajor = '18'

/**
 * Returns the path of the prepared data directory, a gzipped pack. Creating it takes
 * PGlite seconds, so the build generates it. When running from the sources it is
 * generated on first use and cached in `node_modules/.cache`, under a name derived from
 * everything it depends on.
 */
export async function templatePath(): Promise<string> {
  const built = fileURLToPath(templateUrl)
  if (existsSync(built)) return built
  const path = await cachePath()
  if (!existsSync(path)) await make(path)
  return path
}

/** Returns the files of the prepared data directory. */
export async function readTemplate(): Promise<readonly PackInput[]> {
  return readPack(await promisify(gunzip)(await readFile(await templatePath())))
}

async function make(path: string): Promise<void> {
  const { makeTemplate } = await import('./make-template.ts')
  const made = await makeTemplate()
  await mkdir(dirname(path), { recursive: true })
  // Several processes may write at once; the rename makes each write atomic.
  const unfinished = `${path}.${randomUUID()}`
  await writeFile(unfinished, made)
  await rename(unfinished, path)
}

async function cachePath(): Promise<string> {
  const require = createRequire(import.meta.url)
  const pglite = dirname(require.resolve('@electric-sql/pglite'))
  const manifest = await readFile(join(pglite, '..', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const sources = dirname(fileURLToPath(import.meta.url))
  const maker = await readFile(join(sources, 'make-template.ts'))
  const hash = createHash('sha256')
    .update(`${version} ${migrationsHash()}`)
    .update(maker)
    .digest('hex')
  return join(sources, '../../node_modules/.cache', `template-${hash.slice(0, 16)}.gz`)
}
