import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchListing, type ListingEvent, type ListingPage } from './fetch-listing.ts'
import type { GenerateOptions } from './options.ts'
import { resolveSource } from './resolve-source.ts'
import { fetchIntrospection } from './read-schema.ts'
import type { ServiceSource } from './service.ts'

type Respond = (url: URL, init: RequestInit) => Response | Promise<Response>

/** Pauses between attempts, in milliseconds. They are recorded instead of waited for. */
const pauses: number[] = []

function source(respond: Respond, options: Partial<GenerateOptions> = {}): ServiceSource {
  const resolved = resolveSource({
    baseUrl: 'https://api.example.com/',
    projectKey: 'P1',
    fetch: async (url, init) => respond(new URL(url), init),
    ...options,
  })
  if (resolved.kind !== 'service') throw new Error('no service')
  pauses.length = 0
  const sleep = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms))
  return { ...resolved, runtime: { random: () => 1, sleep } }
}

async function collect(
  from: ServiceSource,
): Promise<{ readonly pages: readonly ListingPage[]; readonly items: unknown }> {
  const pages: ListingPage[] = []
  const items = await fetchListing(from, (event) => {
    if (event.type === 'page') pages.push(event)
  })
  return { pages, items }
}

const schemas = Array.from({ length: 25 }, (_, index) => ({ schemaName: `S${index}` }))
const pageOf = (url: URL, cap = 1000): typeof schemas => {
  const size = Math.min(Number(url.searchParams.get('PageSize')), cap)
  const start = (Number(url.searchParams.get('PageNo')) - 1) * size
  return schemas.slice(start, start + size)
}

describe('pages', () => {
  test('sends the request of section 4.5', async () => {
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

  test('reads all pages up to totalCount, even if the service limits their size', async () => {
    for (const cap of [1000, 4]) {
      let requests = 0
      const answer: Respond = (url) => {
        requests++
        return Response.json({ data: { totalCount: 25, items: pageOf(url, cap) } })
      }
      const { pages, items } = await collect(source(answer, { pageSize: 10 }))
      expect(items).toEqual(schemas)
      expect(requests).toBe(cap === 4 ? 7 : 3)
      expect(pages.at(-1)).toMatchObject({ schemas: 25, total: 25 })
    }
  })

  test('reads all pages without a count, even if the service limits their size', async () => {
    for (const cap of [1000, 4]) {
      const answer: Respond = (url) => Response.json({ items: pageOf(url, cap) })
      expect((await collect(source(answer, { pageSize: 10 }))).items).toEqual(schemas)
      expect((await collect(source(answer, { pageSize: 25 }))).items).toEqual(schemas)
    }
  })

  test('stops if the service ignores PageNo', async () => {
    let requests = 0
    const answer: Respond = () => {
      requests++
      return Response.json({ items: schemas.slice(0, 10) })
    }
    expect((await collect(source(answer, { pageSize: 10 }))).items).toHaveLength(10)
    expect(requests).toBe(2)
  })

  test('uses a count next to the items', async () => {
    const answer: Respond = (url) => Response.json({ totalCount: 25, items: pageOf(url, 4) })
    expect((await collect(source(answer, { pageSize: 10 }))).items).toEqual(schemas)
  })
})

describe('contradictory pages are refused, because modules would be removed:', () => {
  const pages =
    (totals: (page: number) => number, slice: (page: number) => typeof schemas): Respond =>
    (url) => {
      const page = Number(url.searchParams.get('PageNo'))
      return Response.json({ data: { totalCount: totals(page), items: slice(page) } })
    }
  const honest = (page: number): typeof schemas => schemas.slice((page - 1) * 10, page * 10)

  test.each<[string, Respond, RegExp]>([
    [
      'a repeated page',
      pages(
        () => 25,
        () => honest(1),
      ),
      /10 of 25 rows/,
    ],
    ['an end before the count', pages(() => 30, honest), /25 of 30 rows/],
    ['a full page with a count of 0', pages(() => 0, honest), /10 of 0 rows/],
    ['more schemas than the count', pages(() => 15, honest), /20 of 15 rows/],
    [
      'overlapping pages',
      pages(
        () => 25,
        (page) => schemas.slice((page - 1) * 8, (page - 1) * 8 + 10),
      ),
      /page 2 contains schemas of earlier pages/,
    ],
    [
      'a schema that changed in between, on two pages',
      pages(
        () => 20,
        (page) =>
          page === 1 ? honest(1) : [{ ...schemas[0]!, querySchema: 'New' }, ...honest(2).slice(1)],
      ),
      /page 2 contains schemas of earlier pages/,
    ],
    [
      'a count that changes',
      pages((page) => 26 - page, honest),
      /totalCount changed from 25 to 24 on page 2/,
    ],
  ])('%s', async (_, respond, reason) => {
    await expect(collect(source(respond, { pageSize: 10 }))).rejects.toMatchObject({
      code: 'LISTING_INVALID',
      message: expect.stringContaining('contradict each other') as string,
      details: { reason: expect.stringMatching(reason) as string },
    })
  })

  test('the listing is read again first, because the schemas may have changed', async () => {
    let requests = 0
    const answer = pages(() => (requests++ < 2 ? 26 - requests : 25), honest)
    expect((await collect(source(answer, { pageSize: 10 }))).items).toEqual(schemas)
    expect(requests).toBe(5)
  })
})

describe('a failed request', () => {
  const details = {
    url: expect.stringContaining('https://api.example.com/data/v4/schemas') as string,
    project: 'P1',
  }

  test.each([
    [{ Errors: { Message: 'Project not found' }, IsSuccess: false }, 404, 'Project not found'],
    [{ title: 'Boom', detail: 'It broke', status: 500 }, 500, 'Boom: It broke'],
    [{ isSuccess: false, errors: { ProjectKey: 'unknown' } }, 200, 'ProjectKey: unknown'],
    [{ error: 'invalid_client', error_description: 'Who?' }, 401, 'invalid_client: Who?'],
  ])(
    '%j names the project, the URL and the reason of the service',
    async (body, status, message) => {
      await expect(collect(source(() => Response.json(body, { status })))).rejects.toMatchObject({
        code: 'LISTING_FAILED',
        details: { ...details, status, message },
      })
    },
  )

  test('shows the start of a truncated response', async () => {
    const respond: Respond = () => new Response('{"data": {"items": [{"schemaName": "Pro')
    await expect(collect(source(respond))).rejects.toMatchObject({
      code: 'LISTING_INVALID',
      message: expect.stringContaining('not JSON') as string,
      details: { ...details, received: expect.stringContaining('{"data"') as string },
    })
  })

  test('names the page that has no list', async () => {
    await expect(collect(source(() => Response.json({ data: {} })))).rejects.toMatchObject({
      code: 'LISTING_INVALID',
      details: { ...details, page: 1, expected: 'a list' },
    })
  })

  test('names the code of a network error', async () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const respond: Respond = () => Promise.reject(new TypeError('fetch failed', { cause }))
    await expect(collect(source(respond))).rejects.toMatchObject({
      code: 'LISTING_FAILED',
      message: expect.stringContaining('ECONNREFUSED') as string,
      details,
    })
  })

  const never: Respond = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })

  test('names a timeout', async () => {
    await expect(collect(source(never, { timeoutMs: 5 }))).rejects.toMatchObject({
      code: 'LISTING_FAILED',
      cause: { code: 'REQUEST_TIMED_OUT' },
      details,
    })
  })

  test('names an abort', async () => {
    const abort = new AbortController()
    const pending = collect(source(never, { signal: abort.signal }))
    abort.abort()
    await expect(pending).rejects.toMatchObject({
      code: 'LISTING_FAILED',
      cause: { code: 'REQUEST_ABORTED' },
      details,
    })
  })
})

describe('retries', () => {
  const limited = (): Response => new Response('', { status: 429, headers: { 'retry-after': '0' } })

  test('wait for the end of a rate limit', async () => {
    const responses = [limited, limited, () => Response.json({ totalCount: 25, items: schemas })]
    const { items } = await collect(source(() => responses.shift()!()))
    expect(items).toHaveLength(25)
  })

  test.each([
    ['7', 7000],
    [undefined, 1000],
    ['Sat, 21 Nov 2020 12:00:00 GMT', 1000],
  ])('wait as long as Retry-After %j requests', async (header, ms) => {
    const headers = header === undefined ? {} : { 'retry-after': header }
    const responses = [
      () => new Response('', { status: 429, headers }),
      () => Response.json({ totalCount: 25, items: schemas }),
    ]
    await collect(source(() => responses.shift()!()))
    expect(pauses).toEqual([ms])
  })

  test('do not wait an hour', async () => {
    const headers = { 'retry-after': '3600' }
    const from = source(() => new Response('', { status: 429, headers }))
    await expect(collect(from)).rejects.toMatchObject({ details: { status: 429 } })
    expect(pauses).toEqual([])
  })

  test.each([
    [60_000, [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]],
    [5000, [1000, 1250, 1250, 1250, 1250]],
    [0, [0, 0]],
  ])('stop after the rate limit window of %i ms; each is an event', async (rateWindowMs, all) => {
    const events: ListingEvent[] = []
    const run = fetchListing(source(limited, { rateWindowMs }), (event) => void events.push(event))
    await expect(run).rejects.toMatchObject({ details: { status: 429 } })
    expect(pauses).toEqual(all)
    expect(events).toEqual(all.map((ms) => ({ type: 'limited', ms })))
  })

  test.each<[string, () => Response | Promise<Response>]>([
    ['500', () => new Response('', { status: 500 })],
    ['503', () => new Response('', { status: 503 })],
    ['a connection reset', () => Promise.reject(new TypeError('fetch failed'))],
  ])('follow %s twice', async (_, failing) => {
    const responses = [failing, failing, () => Response.json({ totalCount: 25, items: schemas })]
    expect((await collect(source(() => responses.shift()!()))).items).toHaveLength(25)
    let requests = 0
    const always = source(() => {
      requests++
      return failing()
    })
    await expect(collect(always)).rejects.toMatchObject({ code: 'LISTING_FAILED' })
    expect(requests).toBe(3)
  })
})

test('refuses a redirect and sends nothing to its target', async () => {
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
    const failure = {
      code: 'LISTING_FAILED',
      details: { status, location: `${elsewhere}/steal` },
      help: expect.stringContaining('not followed') as string,
    }
    await expect(collect(resolved)).rejects.toMatchObject(failure)
    await expect(fetchIntrospection(resolved, () => {})).rejects.toMatchObject(failure)
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
