import { describe, expect, it } from 'vitest'
import * as routes from '@servicekit/contract/routes'
import { createClient, createCore, fetchTransport, isErrorOf, RequestError } from '../src/index.ts'

/** Client of a handler, without pauses between attempts. */
function client(handler: (request: Request) => Response | Promise<Response>) {
  const sent: Request[] = []
  const transport = fetchTransport((request) => {
    sent.push(request.clone())
    return handler(request)
  })
  const runtime = { sleep: async () => undefined }
  return {
    sent,
    data: createClient({ baseUrl: 'http://platform.test', projectKey: 'P1', transport, runtime })
      .data,
  }
}

const schemas = Array.from({ length: 7 }, (_, n) => ({
  schemaName: `S${n}`,
  querySchema: `S${n}s`,
}))
const pageOf = ({ url }: Request) => {
  const { searchParams } = new URL(url)
  const size = Number(searchParams.get('PageSize'))
  const from = (Number(searchParams.get('PageNo')) - 1) * size
  return schemas.slice(from, from + size)
}
const collect = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = []
  for await (const one of all) list.push(one)
  return list
}

describe('an integer that a number would round', () => {
  const rows =
    '[{"Text":"9007199254740993","Big":9007199254740993,"Bigs":[1,-9223372036854775808],"Rate":1e30,"Sum":9007199254740992}]'
  const { data } = client(() => new Response(`{"data":{"Things":${rows}}}`))
  const row = { Text: '9007199254740993', Rate: 1e30, Sum: 2 ** 53 }

  it('is an error with its path', async () => {
    expect(await data.execute({ query: '{ Things { Big } }' })).toMatchObject({
      ok: false,
      errors: [
        { path: ['Things', 0, 'Big'], extensions: { code: 'LONG_ROUNDED' } },
        { path: ['Things', 0, 'Bigs', 1], extensions: { code: 'LONG_ROUNDED' } },
      ],
      partial: { Things: [{ ...row, Big: null, Bigs: [1, null] }] },
    })
  })

  it.each([
    ['bigint', 9007199254740993n, -9223372036854775808n],
    ['string', '9007199254740993', '-9223372036854775808'],
  ] as const)('is exact as a %s', async (long, Big, least) => {
    expect(await data.execute({ query: '{ Things { Big } }', long })).toEqual({
      ok: true,
      data: { Things: [{ ...row, Big, Bigs: [1, least] }] },
    })
  })

  it('is exact in variables, and comes after the errors of the service', async () => {
    const { data, sent } = client(
      () => new Response(`{"data":{"Things":${rows}},"errors":[{"message":"No"}]}`),
    )
    const variables = { where: { Big: { eq: 9007199254740993n } } }
    const result = await data.execute({ query: '{ Things { Big } }', variables })
    expect(result.ok ? [] : result.errors.map(({ message }) => message)).toMatchObject([
      'No',
      expect.stringContaining('Things.0.Big'),
      expect.stringContaining('Things.0.Bigs.1'),
    ])
    expect(JSON.parse(await sent[0]!.clone().text())).not.toHaveProperty('long')
    expect(await sent[0]!.text()).toContain('{"eq":9007199254740993}')
  })

  it('is not sent in a variable that contains itself', async () => {
    const where: Record<string, unknown> = {}
    where['and'] = [where]
    await expect(data.execute({ query: '{ a }', variables: { where } })).rejects.toThrow(
      new TypeError('variables.where.and[0] is circular. Nothing was sent'),
    )
  })
})

describe('listSchemas', () => {
  it.each([
    ['data.items with a count', (items: object[]) => ({ data: { totalCount: 7, items } }), 3],
    ['items without one', (items: object[]) => ({ items }), 4],
  ])('reads all pages of %s', async (_, wrap, requests) => {
    const { sent, data } = client((request) => Response.json(wrap(pageOf(request))))
    expect(await collect(data.listSchemas({ pageSize: 3 }))).toEqual(schemas)
    expect(sent).toHaveLength(requests)
    expect(sent[0]!.url).toBe(
      'http://platform.test/data/v4/schemas?ProjectKey=P1&PageNo=1&PageSize=3',
    )
  })

  it('stops at a count next to the items', async () => {
    const capped = ({ url }: Request) => {
      const from = (Number(new URL(url).searchParams.get('PageNo')) - 1) * 2
      return schemas.slice(from, from + 2)
    }
    const { data } = client((request) => Response.json({ items: capped(request), totalCount: 7 }))
    expect(await collect(data.listSchemas({ pageSize: 5 }))).toEqual(schemas)
  })

  it('rejects a list that ends before its count', async () => {
    const { data } = client((request) =>
      Response.json({ data: { totalCount: 99, items: pageOf(request) } }),
    )
    await expect(collect(data.listSchemas({ pageSize: 5 }))).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      details: { operation: 'data.listSchemas' },
    })
  })

  it('requests no page that is not read', async () => {
    const { sent, data } = client((request) => Response.json({ items: pageOf(request) }))
    for await (const schema of data.listSchemas({ pageSize: 3 })) {
      expect(schema.schemaName).toBe('S0')
      break
    }
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['nothing', ''],
    ['no list', '{"data": {"items": {}}}'],
  ])('names the page with %s', async (_, body) => {
    const { data } = client(() => new Response(body))
    await expect(collect(data.listSchemas())).rejects.toThrow(
      'Cannot list the data schemas: unexpected response\n  project: P1\n  page: 1',
    )
  })

  it('reports a failure with status 200', async () => {
    const body = { isSuccess: false, errors: { ProjectKey: 'unknown' }, data: null }
    const { data } = client(() => Response.json(body))
    const work = collect(data.listSchemas())
    await expect(work).rejects.toMatchObject({ code: 'OPERATION_FAILED', status: 200, body })
    await expect(work).rejects.toThrow('message: ProjectKey: unknown')
  })
})

describe('execute', () => {
  const query = '{ Products { totalCount } }'

  it('reads errors before data', async () => {
    const errors = [{ message: 'no', path: ['Products'] }]
    const { data } = client(() => Response.json({ data: { Products: null }, errors }))
    expect(await data.execute({ query })).toEqual({
      ok: false,
      errors,
      partial: { Products: null },
    })
  })

  it('returns data, even with an empty list of errors', async () => {
    const { sent, data } = client(() => Response.json({ data: { n: 1 }, errors: [] }))
    expect(await data.execute<{ n: number }>({ query, variables: { a: 'ü' } })).toEqual({
      ok: true,
      data: { n: 1 },
    })
    expect(await sent[0]!.json()).toEqual({ query, variables: { a: 'ü' } })
    expect(sent[0]!.headers.get('content-type')).toBe('application/json')
  })

  it.each([['', '{}', '{"data": null}', 'null', '[]', '{"Errors": {"Message": "x"}}']])(
    'does not take %j for a result',
    async (...bodies) => {
      for (const body of bodies) {
        const { data } = client(() => new Response(body))
        const result = await data.execute({ query })
        expect(result).toMatchObject({
          ok: false,
          errors: [{ cause: { code: 'RESPONSE_INVALID' } }],
        })
      }
    },
  )

  const broken = () => new Response('', { status: 503 })
  const unavailable = { ok: false, errors: [{ cause: { status: 503 } }], partial: undefined }

  it.each([
    ['a query', query],
    ['a named query', 'query Q { a }'],
    ['a query after a comment', '# reads\n,query Q { a }'],
  ])('retries %s', async (_, document) => {
    const { sent, data } = client(broken)
    expect(await data.execute({ query: document })).toMatchObject(unavailable)
    expect(sent).toHaveLength(5)
  })

  it.each([
    ['a mutation', 'mutation { insertProduct(input: {}) { itemId } }'],
    ['a mutation after a comment', '# writes\n  mutation M { a }'],
    ['a mutation after a fragment', 'fragment F on R { itemId }\nmutation M { a { ...F } }'],
    ['a mutation after a query', 'query Q { a }\nmutation M { a }'],
    ['a mutation after a query in one line', 'query Q{a}mutation M{a}'],
  ])('never retries %s', async (_, document) => {
    const { sent, data } = client(broken)
    expect(await data.execute({ query: document })).toMatchObject(unavailable)
    expect(sent).toHaveLength(1)
  })

  it('returns a failed request as the cause of the first error', async () => {
    const { data } = client(() => Response.json({ message: 'not for you' }, { status: 403 }))
    const result = await data.execute({ query })
    const message = expect.stringContaining('Cannot run the GraphQL operation')
    const cause = expect.any(RequestError)
    expect(result).toEqual({ ok: false, errors: [{ message, cause }], partial: undefined })
    expect(isErrorOf(!result.ok && result.errors[0]?.cause, 'data.execute')).toBe(true)
  })

  it('returns a call that was aborted as the cause of the first error', async () => {
    const { data } = client(() => Response.json({ data: {} }))
    expect(await data.execute({ query }, { signal: AbortSignal.abort() })).toMatchObject({
      ok: false,
      errors: [{ cause: { code: 'REQUEST_ABORTED' } }],
    })
  })

  it.each([
    [{ n: Number.NaN }, 'variables.n is NaN'],
    [{ input: { at: new Date('soon') } }, 'variables.input.at is Invalid Date'],
    [{ where: { name: undefined } }, 'variables.where.name is undefined'],
    [{ where: undefined }, 'variables.where is undefined'],
  ])(
    'rejects for variables that JSON does not have, which is misuse: %o',
    async (variables, shown) => {
      let isSent = false
      const { data } = client(() => {
        isSent = true
        return Response.json({ data: {} })
      })
      await expect(data.execute({ query, variables })).rejects.toThrow(
        new TypeError(`${shown}. Nothing was sent`),
      )
      expect(isSent).toBe(false)
    },
  )

  it('refuses such values in the body of any other operation', async () => {
    const transport = fetchTransport(() => Response.json({}))
    const core = createCore({ baseUrl: 'http://platform.test', projectKey: 'P1', transport })
    const send = (json: unknown) =>
      core.send(routes.iamCreateOrganization, { json, intent: 'send' })
    for (const [value, shown] of [
      [Number.NaN, 'a is NaN'],
      [new Date('soon'), 'a is Invalid Date'],
    ] as const) {
      await expect(send({ b: [{ a: value }] })).rejects.toThrow(new TypeError(shown))
    }
    await expect(send({ a: null, b: [null, 0, undefined] })).resolves.toBeTruthy()
  })

  it('sends a bigint exactly, and no undefined members of an input', async () => {
    let body = ''
    const { data } = client(async (request) => {
      body = await request.text()
      return Response.json({ data: {} })
    })
    await data.execute({ query, variables: { input: { n: 9007199254740993n, a: undefined } } })
    expect(body).toContain('"variables":{"input":{"n":9007199254740993}}')
  })

  it('reads a long document of comments in linear time', async () => {
    const { data } = client(() => Response.json({ data: {} }))
    // In quadratic time it would take minutes.
    const query = `${'#'.repeat(300_000)}\n{ a }`
    expect(await data.execute({ query })).toMatchObject({ data: {} })
  })
})
