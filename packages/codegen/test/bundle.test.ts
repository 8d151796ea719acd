import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isDeep } from '@servicekit/testing/is-deep'
import { build, transform } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { describe, expect, test, vi } from 'vitest'
import { generate, type ResolvedOutputOptions } from '../src/index.ts'
import { nestedFields, sampleListing } from './sample-listing.ts'
import { temporaryFolder } from './temporary.ts'

// Takes long on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface BundleOptions {
  readonly listing?: unknown
  readonly output?: ResolvedOutputOptions['output']
  readonly bundler?: Bundler
  /** Generates every optional feature. */
  readonly isFull?: boolean
}

type Bundler = keyof typeof bundlers

async function bundleWithEsbuild(folder: string, minifyIdentifiers: boolean): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['app.ts'],
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    minifyIdentifiers,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}

const bundlers = {
  esbuild: (folder: string) => bundleWithEsbuild(folder, true),
  esbuildNamed: (folder: string) => bundleWithEsbuild(folder, false),
  // rollup supports neither types nor minification, so it gets JavaScript, and esbuild
  // minifies its output.
  rollup: async (folder: string): Promise<string> => {
    const input = join(folder, 'app.js')
    const { code: app } = await transform(readFileSync(join(folder, 'app.ts'), 'utf8'), {
      loader: 'ts',
    })
    writeFileSync(input, app)
    const bundle = await rollup({
      input,
      onwarn: (one) => one.code === 'EMPTY_BUNDLE' || fail(one),
    })
    const { output } = await bundle.generate({ format: 'es' })
    await bundle.close()
    // As Vite minifies chunks: also removes functions whose calls it has inlined.
    const options = { minify: true, treeShaking: true, target: 'es2022', format: 'esm' } as const
    return (await transform(output[0].code, options)).code
  },
  rolldown: async (folder: string): Promise<string> => {
    await using bundle = await rolldown({ input: join(folder, 'app.ts'), onwarn: fail })
    // rolldown keeps pure annotations for later bundlers unless they are disabled.
    const comments = { annotation: false }
    const { output } = await bundle.generate({ format: 'esm', minify: true, comments })
    return output[0].code.replace(/^\/\/#.*$/gm, '')
  },
}

function fail(warning: unknown): never {
  throw new Error(String(warning))
}

const features = { queryOptions: true, validators: true, factories: true, labels: true } as const

async function bundle(
  count: number,
  app: string,
  {
    listing = sampleListing(count),
    output = 'ts',
    bundler = 'esbuild',
    isFull = false,
  }: BundleOptions = {},
): Promise<string> {
  const folder = temporaryFolder()
  const outDir = join(folder, 'gateway')
  await generate({ listing, outDir, output, ...(isFull && features) })
  writeFileSync(join(folder, 'app.ts'), app)
  return (await bundlers[bundler](folder)).trim()
}

const oneQuery = `
import { createGateway } from './gateway/gateway.js'
import { listProduct3s } from './gateway/product3.js'
const gateway = createGateway({ baseUrl: '/api', projectKey: 'P1' })
export const products = await listProduct3s(gateway, { select: ['Name', 'Price'] })
`

describe('a bundle with one query', () => {
  test.each([
    ['esbuild', 'js'],
    ['rollup', 'js'],
    ['rolldown', 'ts'],
    ...(isDeep
      ? ([
          ['esbuild', 'ts'],
          ['rolldown', 'js'],
        ] as const)
      : []),
  ] as const)(
    'is at most 1,300 B gzipped under %s from %s, with transport and error check, and identical with 5, 200 and 1,000 schemas',
    async (bundler, output) => {
      const few = await bundle(5, oneQuery, { bundler, output })
      expect(gzipSync(few).length).toBeLessThanOrEqual(1300)
      expect(await bundle(200, oneQuery, { bundler, output })).toBe(few)
      expect(await bundle(1000, oneQuery, { bundler, output })).toBe(few)
      expect(few).not.toMatch(/kind:|import/)
    },
  )

  test.each(['esbuildNamed', 'rollup', 'rolldown'] as const)(
    'is identical under %s with every optional feature',
    async (bundler) => {
      const options = { bundler, output: 'js' } as const
      const full = await bundle(5, oneQuery, { ...options, isFull: true })
      expect(full).toBe(await bundle(5, oneQuery, options))
    },
  )

  test('is as small when imported from the barrel', async () => {
    const app = oneQuery.replaceAll(/gateway\/(?:gateway|product3)\.js/g, 'gateway/index.js')
    expect(gzipSync(await bundle(5, app)).length).toBeLessThanOrEqual(1300)
    // Minified names are up to 2 bytes longer, because esbuild also names what it removes.
    const named = { bundler: 'esbuildNamed' } as const
    const code = async (text: string): Promise<string> =>
      (await bundle(5, text, named)).replaceAll(/\d+/g, '')
    expect(await code(app)).toBe(await code(oneQuery))
  })

  test('runs', async () => {
    const answered: string[] = []
    const app = oneQuery.replace("projectKey: 'P1'", "projectKey: 'P1', fetch: globalThis.answer")
    Object.assign(globalThis, {
      answer: async (url: string) => {
        answered.push(url)
        return Response.json({ data: { Product3s: { items: [], totalCount: 0 } } })
      },
    })
    const text = await bundle(5, app)
    const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as object
    expect(module).toMatchObject({ products: { ok: true, data: { totalCount: 0 } } })
    expect(answered).toEqual(['/api/data/v4/gateway'])
  })
})

test.each(['esbuild', 'rollup', 'rolldown'] as const)(
  'unused imports leave nothing in the bundle under %s',
  async (bundler) => {
    const listing = sampleListing(3, nestedFields)
    const app = `import './gateway/index.js'`
    expect(await bundle(3, app, { listing, bundler, output: 'js', isFull: true })).toBe('')
  },
)
