import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createUnplugin } from 'unplugin'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { removeFolders, temporaryFolder, writeApp } from './project.ts'
import { watchers } from './watchers.ts'

// Runs bundlers on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

afterAll(removeFolders)

const program = (shown: string): string =>
  `import { BUY } from '~uilm/shop'\nglobalThis.shown = () => ${shown}\n`

/**
 * Writes an application with files of its own, and a plugin.
 *
 * @param filter Imports. When the first of them is resolved in a build, `onImport` is called.
 */
async function writeWatched(filter: RegExp, onImport: (root: string) => Promise<unknown>) {
  const root = await temporaryFolder()
  await writeApp(root, {
    'package.json': '{"type": "module"}',
    'src/main.js': program('BUY()'),
    'locales/en-US/shop.json': '{"BUY": "Buy now"}',
    'locales/de-DE/shop.json': '{"BUY": "Kaufen"}',
  })
  let isFirst = true
  const handler = async (): Promise<undefined> => {
    if (isFirst) {
      isFirst = false
      await onImport(root)
    }
  }
  const resolveId = { order: 'pre', filter: { id: filter }, handler } as const
  // Ours resolves before others in Rollup and its relatives.
  const plugin = createUnplugin(() => ({
    name: 'slow',
    enforce: 'pre',
    buildStart: () => void (isFirst = true),
    resolveId,
    vite: { resolveId },
    rollup: { resolveId },
    rolldown: { resolveId },
  }))
  return { root, plugin }
}

/** Returns everything that was built. */
async function builtCode(root: string): Promise<string> {
  const folder = join(root, 'dist')
  const names = await readdir(folder).catch(() => [])
  const codes = await Promise.all(
    names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  )
  return codes.join('\n')
}

describe.each(Object.entries(watchers))('%s in watch', (name, watch) => {
  // Rspack loses some of these by itself: without any plugin of ours, 5 of 8 with a build of 300 ms.
  const test = name === 'rspack' ? undefined : it
  test?.('builds again when a source file was saved during a build', async () => {
    let builds = 0
    const { root, plugin } = await writeWatched(/^~uilm(?:-key)?\/shop/, async (root) => {
      // Rollup watches files from the end of the first build.
      if (++builds === 2) await writeApp(root, { 'src/main.js': program('BUY() + "!"') })
    })
    const stop = await watch(root, { from: 'locales' }, plugin)
    try {
      await expect.poll(() => builtCode(root), { timeout: 20_000 }).toContain('Buy now')
      await writeApp(root, { 'src/main.js': program('BUY() + "?"') })
      await expect.poll(() => builtCode(root), { timeout: 20_000 }).toMatch(/["'`]!["'`]/)
    } finally {
      await stop()
    }
  })

  it('builds again when the texts changed during a build', async () => {
    vi.spyOn(console, 'log').mockReturnValue()
    const builds: string[] = []
    const { root, plugin } = await writeWatched(/^~uilm-(?:key|used)\/shop/, async (root) => {
      const types = () => readFile(join(root, '.servicekit/types/uilm/shop.d.ts'), 'utf8')
      builds.push(await types())
      // The first build is over before the folder is watched.
      if (builds.length !== 2) return
      await writeApp(root, { 'locales/en-US/shop.json': '{"BUY": "Buy {{count}} now"}' })
      await expect.poll(types, { timeout: 20_000 }).toContain('count')
    })
    const stop = await watch(root, { from: 'locales' }, plugin)
    try {
      await expect.poll(() => builtCode(root), { timeout: 20_000 }).toContain('Buy now')
      await writeApp(root, {
        'locales/de-DE/shop.json': '{"BUY": "Jetzt kaufen"}',
        'src/main.js': program('BUY() + "?"'),
      })
      await expect.poll(() => builds.length, { timeout: 20_000 }).toBeGreaterThan(1)
      await expect
        .poll(() => builtCode(root), { timeout: 20_000 })
        .toMatch(/"Buy "|`Buy \$|Buy \$\{/)
    } finally {
      await stop()
    }
  })
})
