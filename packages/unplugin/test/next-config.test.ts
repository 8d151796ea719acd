import { rmSync, unwatchFile } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeWarnings } from '@servicekit/testing/warnings'
import { afterAll, expect, it, vi } from 'vitest'
import { withUilm } from '../src/next.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'

afterAll(removeFolders)

it('prints in development that a changed config file needs a restart', async () => {
  const root = await temporaryFolder()
  const file = join(root, 'servicekit.config.json')
  await writeSnapshot(root, { 'en-US/shop': { BUY: 'Buy now' } })
  await writeApp(root, {
    'package.json': '{}',
    'servicekit.config.json': '{"localization": {"outDir": ".servicekit"}}',
  })
  vi.spyOn(process, 'cwd').mockReturnValue(root)
  await withUilm()('phase-development-server', { defaultConfig: {} })
  await writeFile(file, '{"localization": {"outDir": ".servicekit", "storageKey": "language"}}')
  await vi.waitFor(
    () =>
      expect(takeWarnings()).toEqual([
        expect.stringContaining(
          'servicekit.config.json changed: localization.storageKey. Restart the build to apply it.',
        ),
      ]),
    { timeout: 20_000 },
  )
  for (const watched of [file, join(root, 'uilm.lock.json')]) unwatchFile(watched)
})

it('generates the modules again in development when a file of the application is saved', async () => {
  // Next.js never ends what it started in development, so the folder stays until the process ends.
  const root = await mkdtemp(join(tmpdir(), 'servicekit-unplugin-'))
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  await writeApp(root, {
    'package.json': '{}',
    'servicekit.config.json': '{"localization": {"from": "locales"}}',
    'locales/en/shop.json': '{"BUY": "Buy now"}',
  })
  vi.spyOn(process, 'cwd').mockReturnValue(root)
  await withUilm()('phase-development-server', { defaultConfig: {} })
  const server = () => readFile(join(root, '.servicekit/next/server/shop.js'), 'utf8')
  const index = () => readFile(join(root, '.servicekit/next/messages.json'), 'utf8')
  expect(await server()).toContain('Buy now')
  await writeApp(root, { 'locales/en/shop.json': '{"BUY": "Buy it", "NEW": "New"}' })
  await expect.poll(server, { timeout: 20_000 }).toContain('Buy it')
  await writeApp(root, { 'locales/en/cart.json': '{"PAY": "Pay"}' })
  await expect.poll(index, { timeout: 20_000 }).toContain('~uilm/cart')
  for (const watched of ['servicekit.config.json', '.servicekit/cache/folder.txt']) {
    unwatchFile(join(root, watched))
  }
})

it('names the version of Next.js that it requires', async () => {
  const root = await temporaryFolder()
  await writeApp(root, {
    'package.json': '{}',
    'node_modules/next/package.json': '{ "name": "next", "version": "15.5.29" }',
  })
  vi.spyOn(process, 'cwd').mockReturnValue(root)
  await expect(withUilm()('phase-production-build', { defaultConfig: {} })).rejects.toThrow(
    'withUilm() requires Next.js 16 (found 15.5.29)',
  )
})
