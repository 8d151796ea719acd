import { expect, it } from 'vitest'
import { createCore, fetchTransport } from '../src/core-entry.ts'
import { listSchemas } from '../src/data.ts'
import { listOrganizations, listPermissions, listRoles, listUsers } from '../src/iam.ts'
import * as idp from '../src/idp.ts'
import { listFiles } from '../src/storage.ts'

const total = 120
/** The service returns at most this number of rows, whatever page size a request asks for. */
const limit = 50

/** Creates a core over a service that limits its pages and sends no total. */
function coreOf(firstPage: 0 | 1) {
  let requests = 0
  const core = createCore({
    baseUrl: 'https://api.example.com',
    projectKey: 'P1',
    transport: fetchTransport(async (request) => {
      requests++
      const query = new URL(request.url).searchParams
      const sent = JSON.parse((await request.text()) || '{}') as { page?: number }
      const page = Number(sent.page ?? query.get('PageNo') ?? query.get('Page')) - firstPage
      const from = page * limit
      const rows = Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_, n) => ({
        itemId: `id-${from + n}`,
        schemaName: `S${from + n}`,
      }))
      return Response.json({ data: rows })
    }),
  })
  return { core, requests: () => requests }
}

type List = (core: ReturnType<typeof coreOf>['core']) => AsyncIterable<unknown>

it.each<[name: string, list: List, firstPage: 0 | 1]>([
  ['listSchemas', (core) => listSchemas(core), 1],
  ['listOrganizations', (core) => listOrganizations(core), 0],
  ['listUsers', (core) => listUsers(core), 0],
  ['listRoles', (core) => listRoles(core), 0],
  ['listPermissions', (core) => listPermissions(core), 0],
  ['listUsers of idp', (core) => idp.listUsers(core), 1],
  ['listAccounts of idp', (core) => idp.listAccounts(core), 1],
  ['listFiles', (core) => listFiles(core), 0],
])(
  '%s reads every row where the service limits its pages and sends no total',
  async (_, list, firstPage) => {
    const { core, requests } = coreOf(firstPage)
    const rows: unknown[] = []
    for await (const row of list(core)) rows.push(row)
    expect(rows).toHaveLength(total)
    expect(requests()).toBe(4)
  },
)

it('a page with a count that JSON.parse has rounded is an error', async () => {
  const core = createCore({
    baseUrl: 'https://api.example.com',
    projectKey: 'P1',
    transport: fetchTransport(
      async () => new Response('{"data": [{"itemId": "1"}], "totalCount": 9007199254740993}'),
    ),
  })
  await expect(listUsers(core).page()).rejects.toMatchObject({
    code: 'RESPONSE_INVALID',
    details: { expected: 'an exact totalCount' },
  })
})
