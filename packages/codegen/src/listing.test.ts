import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { resultOf } from './ask.ts'
import { fetchListing, type ListingPage } from './listing.ts'
import { type GenerateOptions, resolveSource, type ServiceSource } from './options.ts'
import { fetchIntrospection } from './read-schema.ts'

type Answer = (url: URL, init: RequestInit) => Response | Promise<Response>

function source(answer: Answer, options: Partial<GenerateOptions> = {}): ServiceSource {
  const resolved = resolveSource({
    baseUrl: 'https://api.example.com/',
    projectKey: 'P1',
    fetch: async (url, init) => answer(new URL(url), init),
    ...options,
  })
  if (resolved.kind !== 'service') throw new Error('no service')
  return resolved
}

async function collect(from: ServiceSource): Promise<{ pages: ListingPage[]; items: unknown }> {
  const pages: ListingPage[] = []
  const run = fetchListing(from)
  for (;;) {
    const step = await run.next()
    if (step.done === true) return { pages, items: step.value }
    if (step.value.type === 'page') pages.push(step.value)
  }
}

const schemas = Array.from({ length: 25 }, (_, index) => ({ schemaName: `S${index}` }))
const pageOf = (url: URL, cap = 1000): typeof schemas => {
  const size = Math.min(Number(url.searchParams.get('PageSize')), cap)
  const start = (Number(url.searchParams.get('PageNo')) - 1) * size
  return schemas.slice(start, start + size)
}

/** Recorded pauses in milliseconds. Timers are mocked in this file. */
const waits: number[] = []
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => Promise.resolve(void waits.push(ms)),
}))

describe('pages', () => {
  test('the request is the one of section 4.5', async () => {
    const seen: string[] = []
    const from = source(
      (url, init) => {
        seen.push(`${url.href} ${new Headers(init.headers).get('x-service-key')}`)
        return Response.json({ items: [] })
      },
      { pageSize: 7 },
    )
    expect((await collect(from)).items).toEqual([])
    expect(seen).toEqual([
      'https://api.example.com/data/v4/schemas?ProjectKey=P1&PageNo=1&PageSize=7 P1',
    ])
  })

  test('all pages are read, up to totalCount, even where the instance caps their size', async () => {
    for (const cap of [1000, 4]) {
      let requests = 0
      const answer: Answer = (url) => {
        requests++
        return Response.json({ data: { totalCount: 25, items: pageOf(url, cap) } })
      }
      const { pages, items } = await collect(source(answer, { pageSize: 10 }))
      expect(items).toEqual(schemas)
      expect(requests).toBe(cap === 4 ? 7 : 3)
      expect(pages.at(-1)).toMatchObject({ schemas: 25, total: 25 })
    }
  })

  test('without a count the first page that is not full is the last', async () => {
    const answer: Answer = (url) => Response.json({ items: pageOf(url) })
    expect((await collect(source(answer, { pageSize: 10 }))).items).toEqual(schemas)
    expect((await collect(source(answer, { pageSize: 25 }))).items).toEqual(schemas)
  })

  test('an instance that ignores PageNo does not loop for ever', async () => {
    let requests = 0
    const answer: Answer = () => {
      requests++
      return Response.json({ items: schemas.slice(0, 10) })
    }
    expect((await collect(source(answer, { pageSize: 10 }))).items).toHaveLength(10)
    expect(requests).toBe(2)
  })

  test('a count beside the items is honoured', async () => {
    const answer: Answer = (url) => Response.json({ totalCount: 25, items: pageOf(url, 4) })
    expect((await collect(source(answer, { pageSize: 10 }))).items).toEqual(schemas)
  })
})

describe('pages that contradict each other or their count are refused, since modules would go', () => {
  const pages =
    (totals: (page: number) => number, slice: (page: number) => typeof schemas): Answer =>
    (url) => {
      const page = Number(url.searchParams.get('PageNo'))
      return Response.json({ data: { totalCount: totals(page), items: slice(page) } })
    }
  const honest = (page: number): typeof schemas => schemas.slice((page - 1) * 10, page * 10)

  test.each<[string, Answer, object]>([
    [
      'a repeated page',
      pages(
        () => 25,
        () => honest(1),
      ),
      { schemas: 10, expected: 25 },
    ],
    ['an end before the count', pages(() => 30, honest), { schemas: 25, expected: 30 }],
    ['a full page with a count of 0', pages(() => 0, honest), { schemas: 10, expected: 0 }],
    ['more schemas than the count', pages(() => 15, honest), { schemas: 20, expected: 15 }],
    [
      'overlapping pages',
      pages(
        () => 25,
        (page) => schemas.slice((page - 1) * 8, (page - 1) * 8 + 10),
      ),
      { schemas: 10, expected: 25 },
    ],
    ['a count that changes', pages((page) => 26 - page, honest), { schemas: 10, expected: 24 }],
    [
      'pages without an end or a count',
      (url) => {
        const page = Number(url.searchParams.get('PageNo'))
        const items = honest(1).map(({ schemaName }) => ({ schemaName: `${schemaName}-${page}` }))
        return Response.json({ items })
      },
      { schemas: 10_000 },
    ],
  ])('%s', async (_, answer, details) => {
    await expect(collect(source(answer, { pageSize: 10 }))).rejects.toMatchObject({
      code: 'LISTING_INVALID',
      message: expect.stringContaining('contradict each other') as string,
      details,
    })
  })

  test('but read again first: somebody may have changed the schemas meanwhile', async () => {
    let requests = 0
    const answer = pages(() => (requests++ < 2 ? 26 - requests : 25), honest)
    expect((await collect(source(answer, { pageSize: 10 }))).items).toEqual(schemas)
    expect(requests).toBe(5)
  })
})

describe('failures name the project, the address and what the service says', () => {
  const details = { url: 'https://api.example.com/data/v4/schemas', project: 'P1' }

  test.each([
    [{ Errors: { Message: 'Project not found' }, IsSuccess: false }, 404, 'Project not found'],
    [{ title: 'Boom', detail: 'It broke', status: 500 }, 500, 'It broke'],
    [{ isSuccess: false, errors: { ProjectKey: 'unknown' } }, 200, 'ProjectKey: unknown'],
    [{ error: 'invalid_client', error_description: 'Who?' }, 401, 'Who?'],
  ])('%j', async (body, status, reason) => {
    await expect(collect(source(() => Response.json(body, { status })))).rejects.toMatchObject({
      code: 'LISTING_FAILED',
      details: { ...details, status, reason },
    })
  })

  test('an answer that is cut off', async () => {
    const answer: Answer = () => new Response('{"data": {"items": [{"schemaName": "Pro')
    await expect(collect(source(answer))).rejects.toMatchObject({
      code: 'LISTING_INVALID',
      message: expect.stringContaining('The schema listing is no JSON') as string,
      details: { ...details, bytes: 39 },
    })
  })

  test('JSON without a list', async () => {
    await expect(collect(source(() => Response.json({ data: {} })))).rejects.toMatchObject({
      code: 'LISTING_INVALID',
      details: { ...details, expected: 'an array in data.items or items' },
    })
  })

  test('no network', async () => {
    const refused = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    const answer: Answer = () => Promise.reject(refused)
    await expect(collect(source(answer))).rejects.toMatchObject({
      code: 'LISTING_FAILED',
      details: { ...details, reason: 'fetch failed: connect ECONNREFUSED' },
      cause: refused,
    })
  })

  const never: Answer = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })

  test('no answer in time', async () => {
    await expect(collect(source(never, { timeoutMs: 5 }))).rejects.toMatchObject({
      details: { ...details, reason: 'no answer within 5 ms' },
    })
  })

  test('aborted', async () => {
    const abort = new AbortController()
    const pending = collect(source(never, { signal: abort.signal }))
    abort.abort(new Error('enough'))
    await expect(pending).rejects.toMatchObject({ details: { ...details, reason: 'enough' } })
  })
})

describe('patience', () => {
  const limited = (): Response => new Response('', { status: 429, headers: { 'retry-after': '0' } })

  test('a rate limit is waited out', async () => {
    const answers = [limited, limited, () => Response.json({ items: schemas })]
    const { items } = await collect(source(() => answers.shift()!()))
    expect(items).toHaveLength(25)
  })

  test.each([
    ['7', 7000],
    ['3600', 60_000],
    [undefined, 2000],
    ['Sat, 21 Nov 2026 12:00:00 GMT', 2000],
  ])('for as long as Retry-After %j says', async (header, ms) => {
    waits.length = 0
    const headers = header === undefined ? {} : { 'retry-after': header }
    const answers = [
      () => new Response('', { status: 429, headers }),
      () => Response.json({ items: schemas }),
    ]
    await collect(source(() => answers.shift()!()))
    expect(waits).toEqual([ms])
  })

  test.each([
    [60_000, [2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000]],
    [5000, [2000, 4000]],
    [0, []],
  ])('across the window of %i ms, told as it goes, and then no more', async (rateWindowMs, all) => {
    waits.length = 0
    const told: number[] = []
    const run = async (): Promise<void> => {
      for await (const event of fetchListing(source(limited, { rateWindowMs }))) {
        if (event.type === 'limited') told.push(event.ms)
      }
    }
    await expect(run()).rejects.toMatchObject({ details: { status: 429 } })
    expect(waits).toEqual(all)
    expect(told).toEqual(all)
  })

  test.each<[string, () => Response | Promise<Response>]>([
    ['500', () => new Response('', { status: 500 })],
    ['503', () => new Response('', { status: 503 })],
    ['a reset', () => Promise.reject(new TypeError('fetch failed'))],
  ])('is had with %s, twice', async (_, failing) => {
    const answers = [failing, failing, () => Response.json({ items: schemas })]
    expect((await collect(source(() => answers.shift()!()))).items).toHaveLength(25)
    let requests = 0
    const always = source(() => {
      requests++
      return failing()
    })
    await expect(collect(always)).rejects.toMatchObject({ code: 'LISTING_FAILED' })
    expect(requests).toBe(3)
  })
})

test('a redirect is refused, and nothing is sent to where it leads', async () => {
  const seen: string[] = []
  const elsewhere = await serve((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.end('{"items": []}')
  })
  for (const status of [301, 302, 307, 308]) {
    const location = `${elsewhere}/steal?key=1`
    const from = await serve((_, response) => response.writeHead(status, { location }).end())
    const options = { baseUrl: from, fetch, headers: { authorization: 'Bearer secret' } }
    const resolved = source(() => expect.unreachable(), options)
    await expect(collect(resolved)).rejects.toMatchObject({
      code: 'LISTING_FAILED',
      details: { status, location: `${elsewhere}/steal` },
      help: expect.stringContaining('Redirects are not followed') as string,
    })
    await expect(resultOf(fetchIntrospection(resolved))).rejects.toMatchObject({
      code: 'LISTING_FAILED',
      details: { reason: `redirected to ${elsewhere}/steal` },
    })
  }
  expect(seen).toEqual([])
})

/** Starts a server for the duration of the test and returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
