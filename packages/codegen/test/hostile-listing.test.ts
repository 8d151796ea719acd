import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createPlatform, parseProject, type Platform } from '@servicekit/platform'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { generate } from '../src/index.ts'
import { sampleListing } from './sample-listing.ts'
import { temporaryFolder } from './temporary.ts'

// Writes thousands of files on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const projectKey = 'Phostile'
const count = 250

interface Schema {
  readonly schemaName: string
}

interface Body {
  readonly data: { readonly totalCount: number; readonly items: readonly Schema[] }
}

type Distort = (page: {
  /** All schemas as listed by the platform. */
  readonly all: readonly Schema[]
  readonly pageNo: number
  readonly pageSize: number
  /** Number of the request, one-based. */
  readonly request: number
}) => { readonly totalCount: number; readonly items: readonly Schema[] }

let platform: Platform
let all: readonly Schema[]
/** Output of the unmodified listing. */
let generated: string
/** Distortion of pages between the platform and the generator. */
let distort: Distort
let requests: number
const honest: Distort = ({ all, pageNo, pageSize }) => ({
  totalCount: all.length,
  items: all.slice((pageNo - 1) * pageSize, pageNo * pageSize),
})

const server = createServer(({ url = '' }, response) => {
  const { searchParams } = new URL(url, 'http://platform.test')
  const [pageNo, pageSize] = ['PageNo', 'PageSize'].map((name) => Number(searchParams.get(name)))
  const data = distort({ all, pageNo: pageNo!, pageSize: pageSize!, request: ++requests })
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data }))
})

/** Returns the schemas as listed by the platform. */
async function listAll(): Promise<readonly Schema[]> {
  const query = `ProjectKey=${projectKey}&PageNo=1&PageSize=1000`
  const headers = { 'x-service-key': projectKey }
  const url = `http://platform.test/data/v4/schemas?${query}`
  const response = await platform.fetch(new Request(url, { headers }))
  return ((await response.json()) as Body).data.items
}

beforeAll(async () => {
  platform = await createPlatform({})
  const { data } = sampleListing(count) as { data: { items: readonly Schema[] } }
  await platform.loadProject(
    parseProject({
      projectKey,
      name: 'Hostile',
      languages: [],
      modules: [],
      schemas: data.items,
    }),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  all = await listAll()
  expect(all).toHaveLength(count)
  distort = honest
  generated = temporaryFolder(afterAll)
  await run(generated)
})
afterAll(async () => {
  server.close()
  await platform.close()
})
beforeEach(() => {
  distort = honest
  requests = 0
})

const run = (outDir: string, options: object = {}) => {
  const { port } = server.address() as AddressInfo
  return generate({ baseUrl: `http://127.0.0.1:${port}`, projectKey, outDir, ...options })
}

function copyOfGenerated(): string {
  const folder = temporaryFolder()
  cpSync(generated, folder, { recursive: true })
  return folder
}

const contents = (folder: string): ReadonlyMap<string, string> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** Rotates a list, so that each request sees a different order. */
const rotated = (all: readonly Schema[], by: number): readonly Schema[] => [
  ...all.slice(by % all.length),
  ...all.slice(0, by % all.length),
]

describe('an untrustworthy listing of 250 modules', () => {
  test.each<[string, Distort]>([
    ['a count of 0 with full pages', (page) => ({ ...honest(page), totalCount: 0 })],
    [
      'pages that overlap',
      ({ all, pageNo, pageSize }) => ({
        totalCount: count,
        items: all.slice((pageNo - 1) * (pageSize - 25), (pageNo - 1) * (pageSize - 25) + pageSize),
      }),
    ],
    [
      'pages that shift with each request',
      (page) => honest({ ...page, all: rotated(page.all, page.request * 10) }),
    ],
    ['the first page again and again', (page) => honest({ ...page, pageNo: 1 })],
    ['a count above what is there', (page) => ({ ...honest(page), totalCount: count + 1 })],
    [
      'schemas that go and come between two pages',
      (page) => {
        const gone = page.request % 3 === 1 ? [] : [page.all[0]]
        const all = page.all.filter((schema) => !gone.includes(schema))
        const others = gone.map((_, n) => ({ ...page.all[0], schemaName: `New${n}` }) as Schema)
        return honest({ ...page, all: [...all, ...others] })
      },
    ],
    [
      'half of the schemas in every other reading',
      (page) => honest({ ...page, all: page.request % 4 < 2 ? page.all.slice(0, 125) : page.all }),
    ],
  ])('fails with LISTING_INVALID and changes no file for %s', async (_, hostile) => {
    const folder = copyOfGenerated()
    const before = contents(folder)
    expect(before.size).toBeGreaterThan(count)
    distort = hostile
    requests = 0
    for (const prune of [false, true]) {
      await expect(run(folder, prune ? { prune } : {})).rejects.toMatchObject({
        code: 'LISTING_INVALID',
      })
      expect(contents(folder)).toEqual(before)
    }
  })

  test('removes the modules of removed schemas with prune', async () => {
    const folder = copyOfGenerated()
    const before = contents(folder)
    distort = (page) => honest({ ...page, all: page.all.slice(0, 240) })
    await expect(run(folder)).rejects.toMatchObject({ code: 'REMOVAL_REFUSED' })
    expect(contents(folder)).toEqual(before)
    expect((await run(folder, { prune: true })).removed).toHaveLength(10)
    distort = (page) => honest({ ...page, all: page.all.slice(0, 238) })
    expect((await run(folder)).removed).toHaveLength(2)
  })

  test('reads pages again that shift once, without loss', async () => {
    const folder = copyOfGenerated()
    distort = (page) =>
      honest({ ...page, all: page.request === 2 ? rotated(page.all, 10) : page.all })
    requests = 0
    expect(await run(folder)).toMatchObject({ isCurrent: true, schemas: count })
    expect(requests).toBe(6)
  })
})
