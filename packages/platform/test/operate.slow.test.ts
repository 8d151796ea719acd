import { openApiDocument } from '@servicekit/contract'
import { describe, expect, it } from 'vitest'
import {
  createPlatform,
  type LogEntry,
  type LoggedRequest,
  type Platform,
  type PlatformOptions,
} from '../src/index.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { control } from './control-client.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { send } from './gateway-client.ts'
import { get, project, storefront, storefrontKey } from '@servicekit/testing/projects'

const schemas = [
  {
    schemaName: 'Thing',
    schemaType: 1,
    querySchema: 'Things',
    mutationSchemas: ['insertThing'],
    fields: [{ name: 'Name', type: 'String' }],
  },
]
const source = project(
  'P',
  {
    en: { a: { ONE: '1', TWO: null, 'a.b': 'x' } },
    de: { a: { ONE: ' [ key MISSING ]\n' } },
    key: { a: {} },
  },
  {
    schemas,
    records: { Thing: [{ ItemId: 'r', Name: 'n', CreatedDate: '2026-01-01T00:00:00Z' }] },
  },
)
const webhook = {
  url: 'https://example.org/hook',
  contentType: 'application/json',
  serviceWebhookSecret: { secret: 'canary-webhook', headerKey: 'x-secret' },
  isDisabled: true,
  projectKey: 'P',
}
const tool = {
  name: 'Mail',
  auth: { type: 'oauth2', grantType: 'AUTHORIZATION_CODE', clientSecret: 'canary-tool' },
}

onEachEngine((engine) => {
  it('exports a project, and imports it elsewhere', async () => {
    const platform = await engine.open()
    await platform.loadProject(source)
    await control(platform, 'PUT', '/projects/P/webhook', webhook)
    await control(platform, 'PUT', '/projects/P/tools/mail', tool)
    await control(platform, 'PUT', '/projects/P/agents/a', { name: 'A', toolIds: ['mail'] })
    await control(platform, 'PUT', '/projects/P/drafts', [
      { language: 'de', module: 'a', key: 'ONE', value: 'eins' },
    ])
    const exported = (path: string) => control(platform, 'GET', `/projects/${path}`)
    const whole = (await exported('P/export')).body as Record<string, unknown>
    expect(JSON.stringify(whole)).not.toContain('canary')
    expect(whole).toMatchObject({
      projectKey: 'P',
      texts: { en: { a: { ONE: '1', TWO: null } } },
      records: { Thing: [{ ItemId: 'r', Name: 'n' }] },
      drafts: [{ value: 'eins' }],
    })
    const copied = await control(platform, 'POST', '/projects', { ...whole, projectKey: 'COPY' })
    expect(copied).toMatchObject({ status: 200, body: { key: 'COPY', problems: [] } })
    const copy = (await exported('COPY/export')).body
    expect(copy).toEqual({ ...whole, projectKey: 'COPY' })
    const secrets = (await exported('P/export?secrets=true')).body as Record<string, unknown>
    expect(JSON.stringify(secrets)).toContain('canary-webhook')
    expect(JSON.stringify(secrets)).toContain('canary-tool')
    await control(platform, 'POST', '/projects', { ...secrets, projectKey: 'COPY' })
    expect((await exported('COPY/export?secrets=true')).body).toEqual({
      ...secrets,
      projectKey: 'COPY',
    })
    for (const rows of [{ sessions: [] }, { tools: [{ item_id: null }] }, { tools: 1 }]) {
      const refused = await control(platform, 'POST', '/projects', { ...whole, rows })
      expect(refused.status).toBe(400)
    }
  })

  it('resets a project to its source', async () => {
    const platform = await engine.open({ projects: [storefront], clock: 'frozen' })
    const path = `/projects/${storefrontKey}`
    // Ids that the files do not contain differ on each load.
    const exported = async () => {
      const { body } = await control(platform, 'GET', `${path}/export`)
      return JSON.stringify(body).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    }
    const before = await exported()
    await control(platform, 'POST', `${path}/modules`, { moduleName: 'new' })
    await control(platform, 'PUT', `${path}/tools/mail`, tool)
    await send(
      platform,
      storefrontKey,
      'mutation { deleteManyProduct(where: {ItemId: {neq: null}}) { itemId } }',
    )
    expect(await exported()).not.toBe(before)
    expect((await control(platform, 'POST', `${path}/reset`)).status).toBe(200)
    expect(await exported()).toBe(before)
    expect((await control(platform, 'POST', '/projects/servicekit-shared/reset')).status).toBe(409)
  })
})

describe('the dialect', () => {
  it('changes response shapes immediately', async () => {
    await using platform = await createPlatform()
    await platform.loadProject(source)
    const dialect = (choice: Record<string, string>) =>
      control(platform, 'PUT', '/projects/P/dialect', choice)
    const file = (language: string) =>
      get(
        platform,
        '/uilm/v1/Key/GetUilmFile',
        { Language: language, ModuleName: 'a', ProjectKey: 'P' },
        { key: 'P' },
      )
    const body = async (language: string) => (await (await file(language)).json()) as unknown
    expect(await body('en')).toEqual({ ONE: '1', TWO: null, 'a.b': 'x' })
    const tag = async () => (await file('en')).headers.get('etag')
    const tags = new Set([await tag()])
    for (const [missingTranslation, shown] of [
      ['marker', '[ KEY MISSING ]'],
      ['empty', ''],
      ['null', null],
    ] as const) {
      await dialect({ missingTranslation })
      expect(await body('en')).toEqual({ ONE: '1', TWO: shown, 'a.b': 'x' })
      expect(await body('de')).toEqual({ ONE: shown })
      tags.add(await tag())
    }
    // The stored text is null, so one of the shapes equals the standard one.
    expect(tags.size).toBe(3)
    expect(await body('key')).toEqual({ ONE: 'ONE', TWO: 'TWO', a: { b: 'a.b' } })
    await dialect({ keyFile: 'flat', etag: 'absent', moduleList: 'absent' })
    expect(await body('key')).toEqual({ ONE: 'ONE', TWO: 'TWO', 'a.b': 'a.b' })
    expect((await file('en')).headers.get('etag')).toBeNull()
    for (const family of ['uilm/v1', 'localization/v4']) {
      const modules = await get(
        platform,
        `/${family}/Module/Gets`,
        { ProjectKey: 'P' },
        { key: 'P' },
      )
      expect(modules.status).toBe(404)
    }
    await dialect({ schemaList: 'items', mutationNames: 'objects', insertCount: 'zero' })
    const listing = await get(platform, '/data/v4/schemas', { ProjectKey: 'P' }, { key: 'P' })
    expect(await listing.json()).toMatchObject({
      items: [{ mutationSchemas: [{ name: 'insertThing' }] }],
    })
    const inserted = await send(
      platform,
      'P',
      'mutation { insertThing(input: {Name: "s"}) { acknowledged totalImpactedData } }',
    )
    expect(inserted.data.insertThing).toEqual({ acknowledged: true, totalImpactedData: 0 })
    await dialect({ toolErrors: 'unprocessable', suggestions: 'content' })
    const administrator = asAdministrator(platform)
    const request = (path: string, sent: unknown) =>
      administrator.fetch(
        new Request(`http://local${path}`, {
          method: 'POST',
          headers: { 'x-service-key': 'P' },
          body: JSON.stringify(sent),
        }),
      )
    expect((await request('/tools/tutorial/none', {})).status).toBe(422)
    const translated = { language: 'de', module: 'a', key: 'ONE', value: 'Eins' }
    await control(platform, 'PUT', '/projects/P/texts', [translated])
    const suggested = await request('/uilm/v1/Assistant/GetTranslationSuggestion', {
      elementType: 'button',
      elementApplicationContext: 'a',
      elementDetailContext: 'b',
      sourceText: '1',
      currentLanguage: 'en',
      destinationLanguage: 'de',
    })
    expect(await suggested.json()).toEqual({ content: 'Eins' })
    expect((await dialect({ etag: 'never' })).status).toBe(400)
  })
})

describe('routes for operators', () => {
  const open = async (options: PlatformOptions = {}): Promise<Platform> => {
    const platform = await createPlatform(options)
    await platform.loadProject(source)
    return platform
  }
  const text = async (platform: Platform, path: string, init: RequestInit = {}) => {
    const response = await platform.fetch(new Request(`http://local${path}`, init))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('serve the OpenAPI document and a page that renders it', async () => {
    await using platform = await open()
    const document = await text(platform, '/openapi.json')
    expect(JSON.parse(document.text)).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
    const etag = document.headers.get('etag')!
    const again = await text(platform, '/openapi.json', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    const page = await text(platform, '/_platform/api')
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
    const script = '/_platform/api/swagger-ui-bundle.js'
    const known = (await text(platform, script)).headers.get('etag')!
    const repeated = await text(platform, script, { headers: { 'if-none-match': known } })
    expect([repeated.status, repeated.text]).toEqual([304, ''])
    expect(page.text).not.toMatch(/https?:\/\//)
  })

  it('explain how to enable the console at links to it', async () => {
    await using platform = await open()
    const { status, text: body } = await text(platform, '/console/translations/common/APP_TITLE')
    expect([status, body]).toEqual([
      404,
      expect.stringMatching(/without its console.*servicekit dev/),
    ])
  })

  it('list and log requests without secrets', async () => {
    const log: LogEntry[] = []
    await using platform = await open({ onLog: (entry) => log.push(entry), clock: 'frozen' })
    await text(platform, '/uilm/v1/Language/Gets?ProjectKey=P&code=canary', {
      headers: { 'x-service-key': 'P', 'x-request-id': 'mine', authorization: 'Bearer canary' },
    })
    await text(platform, '/nothing?token=canary')
    const { body } = await control(platform, 'GET', '/requests?limit=10')
    const [other, known] = body as LoggedRequest[]
    expect(other).toMatchObject({ operation: 'other', status: 404, project: null })
    expect(known).toMatchObject({
      requestId: 'mine',
      at: '2026-01-01T00:00:00.000Z',
      method: 'GET',
      path: '/uilm/v1/Language/Gets?ProjectKey=P&code=***',
      operation: 'uilm.listLanguages',
      project: 'P',
      // A token that is not valid is refused everywhere.
      status: 401,
    })
    const ofProject = await control(platform, 'GET', '/requests?project=P')
    expect(ofProject.body).toHaveLength(1)
    expect(log.filter(({ event }) => event === 'request').length).toBeGreaterThan(2)
    expect(JSON.stringify([body, log])).not.toContain('canary')
    await control(platform, 'DELETE', '/requests')
    expect((await control(platform, 'GET', '/requests?project=P')).body).toEqual([])
  })

  it('export metrics for Prometheus', async () => {
    await using platform = await open()
    await text(platform, '/uilm/v1/Language/Gets?ProjectKey=P', {
      headers: { 'x-service-key': 'P' },
    })
    const { text: metrics } = await text(platform, '/_platform/metrics')
    expect(metrics).toContain(
      'servicekit_requests_total{operation="uilm.listLanguages",method="GET",status="200"} 1\n',
    )
    expect(metrics).toContain('\nservicekit_jobs 0\n')
    for (const line of metrics.trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]*\})? [\d.e+-]+)$/)
    }
  })

  it('respond to liveness and readiness probes without a token', async () => {
    const platform = await open({ controlToken: 'secret' })
    expect((await text(platform, '/_platform/live')).status).toBe(200)
    expect((await text(platform, '/_platform/ready')).status).toBe(200)
    expect((await text(platform, '/_platform/metrics')).status).toBe(401)
    const closing = platform.close()
    expect((await text(platform, '/_platform/ready')).status).toBe(503)
    await closing
  })
})
