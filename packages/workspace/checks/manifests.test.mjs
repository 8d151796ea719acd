import { expect, it } from 'vitest'
import { manifestProblems } from './manifests.mjs'

const rootManifest = { license: 'MIT', engines: { node: '>=20' } }
const manifest = {
  name: 'a',
  license: 'MIT',
  type: 'module',
  engines: { node: '>=20' },
  exports: {
    '.': { source: './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
  },
  publishConfig: {
    access: 'public',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  },
}

it('finds nothing where both lists of entries say the same', () => {
  expect(manifestProblems(manifest, rootManifest)).toEqual([])
})

it('finds an entry that users would not get', () => {
  const exports = {
    ...manifest.exports,
    './data': { source: './src/data.ts', default: './dist/data.js' },
  }
  expect(manifestProblems({ ...manifest, exports }, rootManifest)).toEqual([
    expect.stringContaining('publishConfig.exports'),
  ])
})

it('finds another range of Node and another licence', () => {
  const other = { ...manifest, license: 'ISC', engines: { node: '>=18' } }
  expect(manifestProblems(other, rootManifest)).toHaveLength(2)
})
