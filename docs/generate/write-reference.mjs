/** Writes what the documentation takes from the code: the reference, and the copies in pages. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, toolScript } from '../../packages/workspace/lib/root.mjs'
import { runNode } from '../../packages/workspace/lib/run.mjs'
import { cliPage } from './cli.mjs'
import { configPage, platformPage } from './config.mjs'
import { filledPages } from './fill-pages.mjs'
import { controlPage, httpPage } from './http.mjs'
import { serverPage } from './server.mjs'

const docs = join(root, 'docs')

/** Returns the pages of the reference that are committed, by path in the documentation. */
export const referencePages = async () =>
  new Map([
    ['reference/config.md', configPage()],
    ['reference/cli.md', await cliPage()],
    ['reference/platform.md', platformPage()],
    ['reference/server.md', serverPage()],
    ['reference/http.md', httpPage()],
    ['reference/control.md', await controlPage()],
  ])

/** Writes all files. The packages must be built. */
export async function writeReference() {
  for (const [name, text] of [...filledPages(), ...(await referencePages())]) {
    // Tests read them at the same time.
    if (readFileSync(join(docs, name), 'utf8') !== text) writeFileSync(join(docs, name), text)
  }
  const typedoc = toolScript('typedoc', { from: docs })
  const { code, output } = await runNode([typedoc, '--options', join(docs, 'typedoc.json')], {
    cwd: join(root, 'packages/client'),
  })
  if (code !== 0) throw new Error(output)
  // TypeDoc names the page of the package's main entry after its path.
  const main = join(docs, 'reference/client/_.md')
  writeFileSync(main, readFileSync(main, 'utf8').replace(/^# .*/, '# @servicekit/client'))
  const index = join(docs, 'reference/client/index.md')
  const list = readFileSync(index, 'utf8')
  writeFileSync(
    index,
    list.replace(/^# .*/, '# All imports').replace('- [](_.md)', '- [@servicekit/client](_.md)'),
  )
}
