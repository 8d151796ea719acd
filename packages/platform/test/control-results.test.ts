import { type ControlOperation, controlOperations } from '@servicekit/contract/control'
import { people } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFaults } from '../src/control/fault-rules.ts'
import { createRequestLog } from '../src/control/request-log.ts'
import { implementedControls } from '../src/control/routes.ts'
import { createPlatform, type Platform } from '../src/index.ts'
import { control } from './control-client.ts'

/** Control operations with what they are implemented by; those of the interface have their own tests. */
const implemented = implementedControls({ faults: createFaults(), requestLog: createRequestLog() })

const ids: Readonly<Record<string, string>> = { project: 'P' }
let platform: Platform

const on = async (
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, string>> => {
  const response = await control(platform, method, `/projects/P${path}`, body)
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.body as Record<string, string>
}

/** Fills every list that an operation returns. */
beforeAll(async () => {
  const schema = { schemaName: 'Thing', schemaType: 1, querySchema: 'Things', fields: [] }
  const source = project(
    'P',
    { en: { m: { A: 'a' } }, de: { m: {} } },
    { identity: people, schemas: [schema] },
  )
  platform = await createPlatform({
    projects: [source],
    audit: 'test',
    secret: 'a secret of the platform',
    outgoing: ['loopback'],
  })
  await on('PUT', '/texts', [{ module: 'm', key: 'A', language: 'de', value: 'b' }])
  await on('PUT', '/webhook', {
    url: 'http://127.0.0.1:9/',
    contentType: 'application/json',
    isDisabled: false,
    projectKey: 'P',
  })
  const details = { context: 'c', maxLength: 9, usedIn: ['a.ts'] }
  await on('PUT', '/texts', [{ module: 'm', key: 'A', language: 'de', value: 'c' }])
  await on('PUT', '/drafts', [{ module: 'm', key: 'B', language: 'en', value: 'b', details }])
  await on('PUT', '/drafts', [{ module: 'm', key: 'B', language: 'de', value: '{{x}}' }])
  await on('PUT', '/drafts', [{ module: 'm', key: 'A', isRemoved: true }])
  await on('PUT', '/drafts', [{ module: 'm', key: 'C', language: 'en', value: 'c' }])
  await on('PUT', '/drafts', [{ module: 'm', key: 'C', language: 'de', value: '{{y}}' }])
  const reviewed = { module: 'm', key: 'C', language: 'de', expected: '{{y}}', state: 'reviewed' }
  await on('PUT', '/states', [reviewed])
  await on('PUT', '/publishing', { onlyReviewed: true })
  const message = { module: 'm', key: 'C' }
  await on('POST', '/comments', { ...message, text: 't', mentions: ['ada'] })
  await on('PUT', '/assignments', { keys: [message], languages: ['de'], person: 'ada' })
  await on('PUT', '/schemas/Other', { schemaName: 'Other' })
  await on('DELETE', '/schemas/Thing')
  await on('PUT', '/tools/t', { name: 'T', auth: { type: 'apiKey', headerKey: 'x' } })
  await on('PUT', '/agents/a', { name: 'A', toolIds: ['t'] })
  await on('POST', '/interface/kb/qa', {
    project_key: 'P',
    agent_id: '5c7e1a90-0000-4000-8000-000000000001',
    question: 'q',
    answer: 'a',
  })
  await on('POST', '/interface/iam/v4/iam/users/create', { email: 'n@example.com', password: '' })
  await on('POST', '/translation-jobs', {})
  await control(platform, 'POST', '/faults', { path: '/none', status: 503 })
  const [job] = (await control(platform, 'GET', '/projects/P/translation-jobs')).body as {
    itemId: string
  }[]
  const [delivery] = (await control(platform, 'GET', '/projects/P/deliveries')).body as {
    id: number
  }[]
  Object.assign(ids, {
    'translation-jobs': job!.itemId,
    deliveries: String(delivery!.id),
    users: 'ada',
  })
})
afterAll(() => platform?.close())

it('has a handler for each control operation', () => {
  const own = controlOperations.filter(({ section }) => section === undefined)
  expect(implemented.map(({ operation }) => operation.route.id).toSorted()).toEqual(
    own.map(({ route }) => route.id).toSorted(),
  )
})

/** Reads without a body of another type; one needs a connected tool, one a ticket, one a file. */
const others = new Set(['agents.readToken', 'console.findClient', 'identity.listSessions'])
const reads = implemented
  .map(({ operation }) => operation as ControlOperation)
  .filter(
    ({ route, mediaType }) =>
      route.method === 'GET' && mediaType === undefined && !others.has(route.id),
  )
  .map((operation) => [operation.route.id, operation] as const)

/** Queries of operations that need one. */
const queries: Readonly<Record<string, string>> = {
  'assignments.list': '?module=m&key=C',
  'marks.list': '?kind=mentions&person=ada',
  'tasks.list': '?kind=mentions&person=ada',
  'tasks.count': '?person=ada',
}

it.each(reads)('%s returns what its schema describes, and nothing else', async (_, operation) => {
  const path = operation.route.path
    .slice('/_platform'.length)
    .replaceAll(/([\w-]+)\/\{(\w+)\}/g, (__, list: string, name: string) => {
      return `${list}/${ids[name === 'project' ? 'project' : list]}`
    })
  const query = queries[operation.route.id] ?? ''
  const { status, body } = await control(platform, 'GET', `${path}${query}`)
  expect(status).toBe(200)
  expect(body).not.toEqual([])
  const parsed = operation.result!.safeParse(body)
  expect(parsed.error?.issues ?? []).toEqual([])
  expect(parsed.data).toEqual(body)
})
