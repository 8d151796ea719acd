import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildManifest, parseManifest } from '@servicekit/catalog'
import { build as viteBuild } from 'vite'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { uilm as forVite } from '../src/vite.ts'
import { bundlers } from './bundlers.ts'
import { application, texts } from './leaks.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'

// Runs bundlers on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })
afterAll(removeFolders)

async function writeProject(): Promise<string> {
  const root = await temporaryFolder()
  await writeApp(root, application)
  await writeSnapshot(root, texts)
  return root
}

const readManifest = async (root: string): Promise<BuildManifest> =>
  parseManifest(await readFile(join(root, 'dist/uilm-manifest.json'), 'utf8'))

describe.each(Object.entries(bundlers))('the manifest of a build with %s', (_name, build) => {
  it('names the files and entries that load the messages', async () => {
    const root = await writeProject()
    await build(root, { manifest: true })
    const { chunks } = await readManifest(root)
    const written = await readdir(join(root, 'dist'))
    expect(chunks.length).toBeGreaterThan(1)
    for (const { files, entries, hash } of chunks) {
      expect(files).not.toHaveLength(0)
      expect(written).toEqual(expect.arrayContaining([...files!]))
      expect({ hash, entries }).toEqual({ hash, entries: ['main'] })
    }
    const named = chunks.flatMap(({ files }) => files!)
    expect(new Set(named).size).toBe(named.length)
  })
})

it('names the HTML pages of vite that load each chunk', async () => {
  const root = await writeProject()
  await writeApp(root, {
    'index.html': '<script type="module" src="/src/main.js"></script>',
    'pages/about.html': '<script type="module" src="/src/about.js"></script>',
    'src/about.js': `import { KEY_00 } from '~uilm/even'\ndocument.title = KEY_00()`,
  })
  await viteBuild({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [forVite({ root, manifest: true })],
    build: {
      target: 'esnext',
      rollupOptions: { input: [join(root, 'index.html'), join(root, 'pages/about.html')] },
    },
  })
  const { chunks } = await readManifest(root)
  const entries = chunks.map((chunk) => chunk.entries)
  expect(entries).toContainEqual(['index.html'])
  expect(entries.flat()).toContain('pages/about.html')
  const written = await readdir(join(root, 'dist'), { recursive: true })
  expect(written).toEqual(expect.arrayContaining(chunks.flatMap(({ files }) => [...files!])))
})
