import { Client } from 'pg'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Platform } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { control, password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

const key = 'P'
const definition = project(
  key,
  { en: { m: { A: 'a' } } },
  {
    schemas: [
      {
        schemaName: 'Note',
        schemaType: 1,
        readAccessLevel: 2,
        writeAccessLevel: 2,
        querySchema: 'Notes',
        fields: [{ name: 'Title', type: 'String' }],
      },
    ],
    records: { Note: Array.from({ length: 1000 }, (_, index) => ({ ItemId: `n${index}` })) },
    identity: {
      clients: [
        { clientId: 'web', redirectUris: ['https://app.example/callback'] },
        { clientId: 'job', clientSecret: 'the secret of the job' },
      ],
      roles: [{ slug: 'admin', ancestorRoleSlugs: ['member'] }, { slug: 'member' }],
      users: [{ email: 'ada@example.com', password, roles: ['admin'] }],
    },
  },
)

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const gateway = (query: string) => ['/data/v4/gateway', json({ query })] as const

/** Parts of statements that run from time to time: the queue looks for jobs, and the clock is measured. */
const background = ['servicekit.jobs', 'select (extract(epoch from clock_timestamp())']

/** Returns the texts of the statements of requests. */
const statementsOf = (calls: readonly (readonly unknown[])[]): readonly string[] =>
  calls
    .map(([statement]) =>
      typeof statement === 'string' ? statement : (statement as { text: string }).text,
    )
    .filter((text) => !background.some((part) => text.includes(part)))

/** Counts the rows and index entries of records that the session has read, by its statistics. */
const readRows = `
  select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int as n
  from pg_class where oid = 'servicekit.records'::regclass
    or oid in (select indexrelid from pg_index where indrelid = 'servicekit.records'::regclass)`

const file = '/uilm/v1/Key/GetUilmFile?Language=en&ModuleName=m&ProjectKey=P'
const machine: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'job',
    client_secret: 'the secret of the job',
    org_id: 'default',
  }).toString(),
}

/**
 * Requests with their number of round trips to the database: one that finds project and caller, the
 * begin and the commit of a transaction, and the statements of the operation itself.
 */
const requests: Readonly<Record<string, readonly [number, string, RequestInit?]>> = {
  'own account': [4, '/iam/v4/iam/me'],
  'a translation file': [2, file],
  'the own session': [2, '/iam/v4/oidc/session'],
  'a token of a machine': [8, '/iam/v4/oidc/token', machine],
  'a new organization': [5, '/iam/v4/iam/organizations/create', json({ name: 'New' })],
  'a list of records': [4, ...gateway('{ Notes { items { ItemId Title } } }')],
  'an insert': [4, ...gateway('mutation { insertNote(input: {Title: "a"}) { itemId } }')],
}

onEachEngine((engine) => {
  let platform: Platform
  let browser: Awaited<ReturnType<typeof signIn>>['browser']
  beforeAll(async () => {
    platform = await engine.open({ projects: [definition] })
    browser = (await signIn(platform, key, 'ada@example.com')).browser
  })

  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { ...(init.headers as object), 'x-service-key': key }
    const response = await browser.send(path, { ...init, headers })
    const text = await response.text()
    expect({ status: response.status, text }).toEqual({ status: 200, text })
    expect(text).not.toContain('"errors":[')
  }

  it.each(Object.entries(requests))('sends few statements for %s', async (_, request) => {
    const [count, ...parts] = request
    // The first request compiles the schema.
    await send(...parts)
    const query = vi.spyOn(Client.prototype, 'query')
    await send(...parts)
    expect(statementsOf(query.mock.calls)).toHaveLength(count)
  })

  it('sends few statements for a sign-in', async () => {
    await signIn(platform, key, 'ada@example.com')
    const query = vi.spyOn(Client.prototype, 'query')
    await signIn(platform, key, 'ada@example.com')
    expect(statementsOf(query.mock.calls)).toHaveLength(40)
  })

  it('reads no translation file that the client has already', async () => {
    const headers = { 'x-service-key': key }
    const first = await browser.send(file, { headers })
    const conditional = { headers: { ...headers, 'if-none-match': first.headers.get('etag')! } }
    const query = vi.spyOn(Client.prototype, 'query')
    expect((await browser.send(file, conditional)).status).toBe(304)
    expect(statementsOf(query.mock.calls)).toHaveLength(1)
  })

  it('reads a translation file again after a change', async () => {
    const headers = { 'x-service-key': key }
    const first = await browser.send(file, { headers })
    const conditional = { headers: { ...headers, 'if-none-match': first.headers.get('etag')! } }
    const change = [{ module: 'm', key: 'A', language: 'en', value: 'changed' }]
    expect((await control(platform, key, 'PUT', '/texts', change)).status).toBe(200)
    const second = await browser.send(file, conditional)
    expect([second.status, await second.json()]).toEqual([200, { A: 'changed' }])
  })

  it('reads none of the other records for an insert', async () => {
    const read: number[] = []
    const { query } = Client.prototype
    vi.spyOn(Client.prototype, 'query').mockImplementation(async function (
      this: Client,
      ...parameters: unknown[]
    ) {
      const send = query.bind(this) as (...given: unknown[]) => Promise<{ rows: { n: number }[] }>
      const [statement] = parameters
      if (statement === 'commit') read.push((await send(readRows)).rows[0]!.n)
      const result = await send(...parameters)
      if (String(statement).startsWith('begin')) read.push((await send(readRows)).rows[0]!.n)
      return result
    } as typeof query)
    await send(...gateway('mutation { insertNote(input: {Title: "a"}) { itemId } }'))
    const [before, after] = read.slice(-2)
    expect(after! - before!).toBe(0)
  })
})
