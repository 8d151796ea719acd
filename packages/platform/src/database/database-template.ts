import { writeFileAtomic } from '@servicekit/core/node'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { cacheUrl, templateUrl } from '../assets.ts'
import { migrations } from './migrations/index.ts'

const initDbStartParams = [
  '--encoding=UTF8',
  // Sorts by code point. Letters of all languages are letters, which pg_trgm requires.
  '--locale=C.UTF-8',
  '--no-instructions',
  // The smallest segments of the log, because each database contains one.
  '--wal-segsize=1',
  // A single user on one machine needs little memory and short logs.
  '--set=shared_buffers=16MB',
  '--set=max_connections=10',
  '--set=min_wal_size=2MB',
  '--set=max_wal_size=64MB',
  '--set=wal_recycle=off',
]

/**
 * Returns the path of the archive that new embedded databases start from. Initialising
 * PostgreSQL takes seconds, so the archive is a part of the package.
 */
export async function templatePath(): Promise<string> {
  const built = fileURLToPath(templateUrl)
  return existsSync(built) ? built : cachedTemplate()
}

/**
 * Returns the path of the archive in `node_modules/.cache`, for the build and for running
 * from the sources. Creates it if necessary; its name contains what it depends on.
 */
export async function cachedTemplate(): Promise<string> {
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const manifest = await readFile(join(pglite, '../package.json'), 'utf8')
  const parts = JSON.stringify([manifest, initDbStartParams, migrations])
  const hash = createHash('sha256').update(parts).digest('hex')
  const cache = fileURLToPath(cacheUrl)
  const path = join(cache, `template-${hash.slice(0, 16)}.tar.gz`)
  if (existsSync(path)) return path
  await mkdir(cache, { recursive: true })
  // Processes that start at the same time create it more than once.
  await writeFileAtomic(path, await createTemplate())
  return path
}

/**
 * Creates the data directory that embedded databases start from: initialised, migrated, and
 * without template databases.
 *
 * @returns an archive of about 1 MB, which PGlite can load.
 */
async function createTemplate(): Promise<Uint8Array> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { btree_gist } = await import('@electric-sql/pglite/contrib/btree_gist')
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
  const { connectDatabase } = await import('./database.ts')
  const { embeddedParts } = await import('./pglite.ts')
  const pglite = await PGlite.create({ initDbStartParams, extensions: { btree_gist, pg_trgm } })
  await pglite.exec('update pg_database set datistemplate = false where datistemplate')
  await pglite.exec('drop database template0')
  await pglite.exec('drop database template1')
  const database = await connectDatabase(await embeddedParts(pglite, async () => {}))
  await database.close()
  await pglite.exec('reset role')
  await pglite.exec('vacuum freeze analyze')
  await pglite.exec('checkpoint')
  const archive = await pglite.dumpDataDir('none')
  await pglite.close()
  return gzipSync(await archive.arrayBuffer(), { level: 9 })
}
