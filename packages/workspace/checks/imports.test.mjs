import { describe, expect, it } from 'vitest'
import {
  findForbiddenDependencies,
  findForbiddenImports,
  isTestFile,
  parseImports,
} from './imports.mjs'

/** @param {string} folder @param {Record<string, any>} [manifest] */
const described = (folder, manifest = {}) => ({
  folder,
  name: `@servicekit/${folder}`,
  path: `/repository/packages/${folder}`,
  manifest,
})
const packages = ['contract', 'client', 'catalog', 'platform', 'codegen'].map((folder) =>
  described(folder),
)

/** @param {string} folder @param {string} text @param {string} [path] */
const find = (folder, text, path = 'src/a.ts') => {
  const dependencies = {
    '@servicekit/contract': 'workspace:*',
    '@servicekit/client': 'workspace:*',
    hono: '4',
  }
  return findForbiddenImports(described(folder, { dependencies }), [{ path, text }], packages)
}

describe('parseImports', () => {
  it('sees every form of an import', () => {
    const text = `import a from 'a'
import type { B } from 'b'
export * from 'c'
export type { D } from 'd'
import 'e'
const f = await import('f')
const g = require('g')
type H = import('h').H
import i = require('i')
const text = "import 'not-one'" // import 'nor-this'
const j = \`\${await import('j')}\``
    const found = parseImports('a.ts', text).map(({ specifier, line, typeOnly }) => [
      specifier,
      line,
      typeOnly,
    ])
    expect(found).toEqual([
      ['a', 1, false],
      ['b', 2, true],
      ['c', 3, false],
      ['d', 4, true],
      ['e', 5, false],
      ['f', 6, false],
      ['g', 7, false],
      ['h', 8, true],
      ['i', 9, false],
      ['j', 11, false],
    ])
  })
})

describe('findForbiddenImports', () => {
  it('lets a package import those below it', () => {
    expect(find('catalog', "import { limits } from '@servicekit/contract'")).toEqual([])
    expect(find('catalog', "import { b } from './b.ts'\nimport 'node:fs'\nimport 'hono'")).toEqual(
      [],
    )
  })

  it.each([
    ['client', "import { serve } from '@servicekit/platform/node'"],
    ['client', "import type { Server } from '@servicekit/platform'"],
    ['contract', "const later = () => import('@servicekit/client')"],
    ['platform', "export { send } from '@servicekit/client'"],
    ['codegen', "type Catalog = import('@servicekit/catalog').Catalog"],
  ])('finds an import of %s against the order: %s', (folder, text) => {
    expect(find(folder, text)).toEqual([
      expect.stringMatching(`^packages/${folder}/src/a.ts:1 imports @servicekit/`),
    ])
  })

  it('lets tests import from above', () => {
    const text = "import { platform } from '@servicekit/platform'"
    expect(find('client', text, 'src/a.test.ts')).toEqual([])
    expect(find('client', text, 'test/harness.ts')).toEqual([])
    expect(find('client', text, 'src/testing.ts')).toHaveLength(1)
  })

  it("finds a way around through another package's folder", () => {
    expect(find('client', "import { x } from '../../platform/src/index.ts'")).toHaveLength(1)
  })

  it('finds an import that users could not resolve', () => {
    expect(find('client', "import { z } from 'zod'")).toEqual([
      'packages/client/src/a.ts:1 imports zod, which package.json does not install with the package',
    ])
    expect(find('client', "import type { z } from 'zod'")).toEqual([])
  })
})

describe('findForbiddenDependencies', () => {
  it('finds a dependency against the order in every field that users install', () => {
    for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      const item = described('client', { [field]: { '@servicekit/platform': 'workspace:*' } })
      expect(findForbiddenDependencies(item, packages)).toHaveLength(1)
    }
  })

  it('lets tests need packages from above', () => {
    const item = described('client', { devDependencies: { '@servicekit/platform': 'workspace:*' } })
    expect(findForbiddenDependencies(item, packages)).toEqual([])
  })

  it('finds a package without a place in the order', () => {
    expect(findForbiddenDependencies(described('extra'), packages)).toHaveLength(1)
  })
})

it('knows tests by their names', () => {
  const tests = ['src/a.test.ts', 'src/a.test-d.ts', 'test/a.ts', 'src/a.bench.ts']
  expect(tests.filter((path) => !isTestFile(path))).toEqual([])
  expect(['src/a.ts', 'src/testing.ts', 'src/latest.ts'].filter(isTestFile)).toEqual([])
})
