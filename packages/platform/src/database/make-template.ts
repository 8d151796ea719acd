import { PGlite } from '@electric-sql/pglite'
import { realpathSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { templateUrl } from '../assets.ts'
import { connectDatabase } from './database.ts'
import { PgliteSocket } from './pglite-socket.ts'
import { type PackInput, writePack } from './pack.ts'

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
 * Creates the data directory from which embedded databases start: initialized, migrated,
 * without template databases, and shut down cleanly, so that it starts without recovery.
 *
 * @returns a gzipped pack of about 1 MB.
 */
export async function makeTemplate(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-template-'))
  try {
    const data = join(folder, 'pgdata')
    await fill(data)
    return await promisify(gzip)(writePack(await collect(data)), { level: 9 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fill(folder: string): Promise<void> {
  const pglite = await PGlite.create(folder, {
    initDbStartParams: [
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      // Use the smallest segment size, because each template and each in-memory database
      // contains one segment.
      '--wal-segsize=1',
      ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ],
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
  await pglite.close()
}

async function collect(folder: string, path = ''): Promise<PackInput[]> {
  const entries = await readdir(join(folder, path), { withFileTypes: true })
  const inputs: PackInput[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) inputs.push({ path: inner }, ...(await collect(folder, inner)))
    else inputs.push({ path: inner, body: await readFile(join(folder, inner)) })
  }
  return inputs
}

// Run by the build; imported elsewhere.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await writeFile(fileURLToPath(templateUrl), await makeTemplate())
}
