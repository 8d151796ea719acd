import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/esbuild.ts'
import { removeFolders, temporaryFolder, writeApp } from './project.ts'

afterAll(removeFolders)

const program = (shown: string): string =>
  `import { BUY } from '~uilm/shop'\nglobalThis.shown = () => ${shown}\n`

/**
 * Watches an application with files of its own.
 *
 * @param filter Imports of which one is resolved, in each build, when `onImport` is called.
 */
async function watch(filter: RegExp, onImport: (root: string) => Promise<unknown>) {
  const root = await temporaryFolder()
  await writeApp(root, {
    'package.json': '{"type": "module"}',
    'src/main.js': program('BUY()'),
    'locales/en-US/shop.json': '{"BUY": "Buy now"}',
    'locales/de-DE/shop.json': '{"BUY": "Kaufen"}',
  })
  const context = await esbuild.context({
    absWorkingDir: root,
    entryPoints: ['src/main.js'],
    bundle: true,
    format: 'esm',
    outdir: 'dist',
    logLevel: 'silent',
    plugins: [
      {
        name: 'slow',
        setup: (build) =>
          build.onResolve({ filter }, async () => {
            await onImport(root)
            return undefined
          }),
      },
      uilm({ root, from: 'locales' }),
    ],
  })
  await context.watch()
  return { root, stop: () => context.dispose() }
}

describe('esbuild in watch', () => {
  it('builds again when a source file was saved during a build', async () => {
    let isSaved = false
    const { root, stop } = await watch(/^~uilm\/shop$/, async (root) => {
      if (isSaved) return
      isSaved = true
      await writeApp(root, { 'src/main.js': program('BUY() + "!"') })
    })
    try {
      const bundle = () => readFile(join(root, 'dist/main.js'), 'utf8').catch(() => '')
      await expect.poll(bundle, { timeout: 20_000 }).toContain('"!"')
    } finally {
      await stop()
    }
  })

  it('builds again when the texts changed during a build', async () => {
    vi.spyOn(console, 'log').mockReturnValue()
    const builds: string[] = []
    const { root, stop } = await watch(/^~uilm-key/, async (root) => {
      const types = () => readFile(join(root, '.servicekit/types/uilm/shop.d.ts'), 'utf8')
      builds.push(await types())
      // The first build is over before the folder is watched.
      if (builds.length !== 2) return
      await writeApp(root, { 'locales/en-US/shop.json': '{"BUY": "Buy {{count}} now"}' })
      await expect.poll(types, { timeout: 20_000 }).toContain('count')
    })
    try {
      await expect.poll(() => builds.length, { timeout: 20_000 }).toBe(1)
      await writeApp(root, { 'locales/de-DE/shop.json': '{"BUY": "Jetzt kaufen"}' })
      await expect.poll(() => builds.at(-1), { timeout: 20_000 }).toContain('count')
      expect(builds).toHaveLength(3)
    } finally {
      await stop()
    }
  })
})
