import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { templateUrl } from '../assets.ts'
import { migrations } from './migrations/index.ts'

/**
 * Returns the path of the archive that new embedded databases start from. Initialising
 * PostgreSQL takes seconds, so the build makes the archive. When the platform runs from its
 * sources, it is made on first use and kept in `node_modules/.cache`, under a name that
 * contains everything it depends on.
 */
export async function templatePath(): Promise<string> {
  const built = fileURLToPath(templateUrl)
  if (existsSync(built)) return built
  const sources = dirname(fileURLToPath(import.meta.url))
  const maker = await readFile(join(sources, 'make-template.ts'), 'utf8')
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const manifest = await readFile(join(pglite, '../package.json'), 'utf8')
  const hash = createHash('sha256').update(JSON.stringify([manifest, maker, migrations]))
  const cache = join(sources, '../../node_modules/.cache')
  const path = join(cache, `template-${hash.digest('hex').slice(0, 16)}.tar.gz`)
  if (!existsSync(path)) {
    const { makeTemplate } = await import('./make-template.ts')
    // Several processes may make it at once; the rename makes each of them atomic.
    const unfinished = `${path}.${randomUUID()}`
    await mkdir(cache, { recursive: true })
    await writeFile(unfinished, await makeTemplate())
    await rename(unfinished, path)
  }
  return path
}
