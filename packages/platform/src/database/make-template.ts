import { PGlite } from '@electric-sql/pglite'
import { realpathSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { templateUrl } from '../assets.ts'
import { connectDatabase } from './database.ts'
import { embeddedParts } from './pglite.ts'

/**
 * PostgreSQL settings, stored in the data directory. A single user on one machine needs
 * little memory and short logs.
 */
const settings = {
  shared_buffers: '16MB',
  max_connections: '10',
  min_wal_size: '2MB',
  max_wal_size: '64MB',
  wal_recycle: 'off',
}

/**
 * Makes the data directory that embedded databases start from: initialised, migrated, and
 * without template databases.
 *
 * @returns an archive of about 1 MB, which PGlite can load.
 */
export async function makeTemplate(): Promise<Uint8Array> {
  const pglite = await PGlite.create({
    initDbStartParams: [
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      // The smallest segments, because each database contains one.
      '--wal-segsize=1',
      ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ],
  })
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

// Run by the build; imported elsewhere.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await writeFile(fileURLToPath(templateUrl), await makeTemplate())
}
