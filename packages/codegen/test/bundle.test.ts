import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { generate } from '../src/index.ts'
import { nestedFields, sampleListing } from './sample-listing.ts'
import { temporaryFolder } from './temporary.ts'

async function bundle(
  count: number,
  app: string,
  {
    listing = sampleListing(count),
    ...options
  }: BuildOptions & { readonly listing?: unknown } = {},
): Promise<string> {
  const folder = temporaryFolder()
  await generate({ listing, outDir: join(folder, 'gateway') })
  writeFileSync(join(folder, 'app.ts'), app)
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['app.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
    ...options,
  })
  return outputFiles![0]!.text
}

const oneQuery = `
import { createGateway } from './gateway/gateway.js'
import { listProduct3s } from './gateway/product3.js'
const gateway = createGateway({ baseUrl: '/api', projectKey: 'P1' })
export const products = await listProduct3s(gateway, { select: ['Name', 'Price'] })
`

describe('a bundle with one query', () => {
  test('is at most 900 B with transport and error check, whatever else the project has', async () => {
    const [few, some, many] = await Promise.all([5, 200, 1000].map((n) => bundle(n, oneQuery)))
    expect(few!.length).toBeLessThanOrEqual(900)
    expect(some).toBe(few)
    expect(many).toBe(few)
  })

  test('is as small through the barrel', async () => {
    const app = oneQuery.replaceAll(/gateway\/(?:gateway|product3)\.js/g, 'gateway/index.js')
    expect((await bundle(5, app)).length).toBeLessThanOrEqual((await bundle(5, oneQuery)).length)
  })

  test('works', async () => {
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

test('what is imported and not used leaves nothing behind', async () => {
  const listing = sampleListing(3, nestedFields)
  expect(await bundle(3, `import './gateway/index.js'`, { listing })).toBe('')
})
