import { PGlite } from '@electric-sql/pglite'
import { realpathSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { templateUrl } from '../assets.ts'
import { connectDatabase } from './database.ts'
import { PgliteSocket } from './pglite-socket.ts'

/**
 * Makes the data directory that embedded databases start from: initialised,
 * migrated, and without the databases that only serve to make other databases.
 *
 * @returns a gzipped tar of about 2 MB.
 */
export async function makeTemplate(): Promise<Uint8Array> {
  const pglite = await PGlite.create({
    // The smallest log segments: one is part of every template and every memory.
    initDbStartParams: ['--wal-segsize=1', '--encoding=UTF8', '--locale=C', '--no-instructions'],
  })
  await pglite.exec('update pg_database set datistemplate = false where datistemplate')
  await pglite.exec('drop database template0')
  await pglite.exec('drop database template1')
  const database = await connectDatabase({
    engine: 'pglite',
    pool: {
      user: 'postgres',
      database: 'postgres',
      stream: () => new PgliteSocket({ exchange: (batch) => pglite.execProtocolRaw(batch) }),
      max: 1,
    },
  })
  await database.close()
  await pglite.exec('reset role')
  await pglite.exec('vacuum freeze analyze')
  await pglite.exec('checkpoint')
  const archive = await pglite.dumpDataDir('none')
  await pglite.close()
  return new Uint8Array(
    await promisify(gzip)(new Uint8Array(await archive.arrayBuffer()), { level: 9 }),
  )
}

// The build runs this file; everyone else imports it.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await writeFile(fileURLToPath(templateUrl), await makeTemplate())
}
