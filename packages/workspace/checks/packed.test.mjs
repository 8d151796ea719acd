import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRunner } from '../lib/run.mjs'
import { checkInstalledTypes, importEntries } from './consumer.mjs'
import { checkPackedTypes, lintPacked } from './packed.mjs'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'servicekit-packed-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const manifest = {
  name: 'sample',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  files: ['dist'],
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}

/** @param {Record<string, unknown>} files contents by path; objects as JSON */
function write(files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(folder, path), text)
  }
}

/** @param {Record<string, unknown>} files */
async function pack(files) {
  write(files)
  const { code, output } = await createRunner().run('npm', ['pack', '--silent'], { cwd: folder })
  if (code !== 0) throw new Error(output)
  return join(folder, 'sample-1.0.0.tgz')
}

describe('a tarball', () => {
  it('passes when its code and types fit its entries', async () => {
    const tarball = await pack({
      'package.json': manifest,
      'dist/index.js': 'export const a = 1\n',
      'dist/index.d.ts': 'export declare const a = 1\n',
    })
    expect(await lintPacked(tarball)).toEqual([])
    expect(await checkPackedTypes(tarball)).toEqual([])
  })

  it('fails when an entry was not packed', async () => {
    const tarball = await pack({
      'package.json': { ...manifest, files: ['dist/*.js'] },
      'dist/index.js': 'export const a = 1\n',
      'dist/index.d.ts': 'export declare const a = 1\n',
    })
    expect(await lintPacked(tarball)).toEqual([expect.stringContaining('index.d.ts')])
    expect(await checkPackedTypes(tarball)).not.toEqual([])
  })

  it('fails when its types import what is not there', async () => {
    const tarball = await pack({
      'package.json': manifest,
      'dist/index.js': 'export const a = 1\n',
      'dist/index.d.ts': "export { a } from './gone.js'\n",
    })
    expect(await checkPackedTypes(tarball)).toEqual([
      // Once for Node and once for bundlers.
      expect.stringMatching('^InternalResolutionError: .*gone'),
      expect.stringMatching('^InternalResolutionError: .*gone'),
    ])
  })
})

describe('an installed package', () => {
  it('fails when an entry cannot be imported or exports nothing', async () => {
    write({
      'node_modules/sample/package.json': {
        ...manifest,
        exports: { '.': './a.js', './b': './b.js' },
      },
      'node_modules/sample/a.js': "import 'not-a-dependency'\n",
      'node_modules/sample/b.js': 'export {}\n',
      'node_modules/good/package.json': { ...manifest, name: 'good', exports: './a.js' },
      'node_modules/good/a.js': 'export const a = 1\n',
    })
    const entries = ['sample', 'sample/b', 'good']
    const { code, output } = await importEntries(folder, entries, createRunner().node)
    expect(code).toBe(1)
    expect(output).toMatch(/import 'sample' failed: [^]*not-a-dependency/)
    expect(output).toMatch(/import 'sample\/b' failed: [^]*exports nothing/)
    expect(output).not.toContain("'good'")
  })

  it('fails when its types need a package that npm did not install with it', () => {
    write({
      'package.json': { type: 'module' },
      'node_modules/sample/package.json': manifest,
      'node_modules/sample/dist/index.js': '',
      'node_modules/sample/dist/index.d.ts':
        "import type { Z } from 'not-a-dependency'\nexport declare const z: Z\n",
    })
    expect(checkInstalledTypes(folder, ['sample'], [{ name: 'sample' }])).toEqual([
      expect.stringMatching('^sample/dist/index.d.ts: .*not-a-dependency'),
    ])
  })

  it('lets an entry need the optional peer that it is for', () => {
    write({
      'package.json': { type: 'module' },
      'node_modules/sample/package.json': {
        ...manifest,
        peerDependenciesMeta: { bundler: { optional: true }, required: {} },
      },
      'node_modules/sample/dist/index.js': '',
      'node_modules/sample/dist/index.d.ts':
        "import type { Y } from 'required'\nimport type { Z } from 'bundler'\nexport declare const z: Y & Z\n",
    })
    expect(checkInstalledTypes(folder, ['sample'], [{ name: 'sample' }])).toEqual([
      expect.stringMatching("^sample/dist/index.d.ts: .*'required'"),
    ])
  })
})
