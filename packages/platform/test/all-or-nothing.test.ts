import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { onEachEngine } from '@servicekit/testing/engines'
import { projectFiles } from '../src/index.ts'
import type { Platform } from '../src/index.ts'

const controlToken = 'the control token of this test'
const at = '2026-01-01T00:00:00Z'

const language = (languageCode: string, isDefault = false) => ({
  itemId: languageCode,
  languageName: languageCode,
  languageCode,
  isDefault,
})
const base = {
  projectKey: 'P',
  name: 'Before',
  languages: [language('en'), language('de', true)],
  modules: [{ itemId: '1', moduleName: 'm' }],
  schemas: [{ schemaName: 'Note', fields: [{ name: 'Count', type: 'Long' }] }],
  texts: { en: { m: { A: 'a' } } },
  drafts: [{ module: 'm', key: 'A', language: 'de', value: 'ein Entwurf' }],
  identity: { users: [{ email: 'ada@p.example' }] },
}
/** Parts of a project that must be refused, with the file and the member that the error names. */
const refused: readonly (readonly [string, object, string])[] = [
  ['an unknown fallback', { fallback: 'fr' }, 'file: project\n  member: fallback'],
  ['a fallback of the wrong type', { fallback: ['en'] }, 'file: project\n  member: fallback'],
  [
    'a draft of an unknown module',
    { drafts: [{ module: 'x', key: 'A', language: 'en', value: 'a' }] },
    'no module x.\n  file: drafts',
  ],
  [
    'a draft in an unknown language',
    { drafts: [{ module: 'm', key: 'A', language: 'fr', value: 'a' }] },
    'no language fr.\n  file: drafts',
  ],
  [
    'a draft of a text that is another one',
    { drafts: [{ module: 'm', key: 'A', language: 'en', value: 'b', expected: 'x' }] },
    'file: drafts',
  ],
  [
    'two users with one name',
    {
      identity: {
        users: [
          { email: 'eve@p.example', userName: 'u' },
          { email: 'bob@p.example', userName: 'U' },
        ],
      },
    },
    'the user name or the id of bob@p.example.\n  file: identity',
  ],
  [
    'two users with one id',
    {
      identity: {
        users: [
          { email: 'eve@p.example', itemId: 'u' },
          { email: 'bob@p.example', itemId: 'u' },
        ],
      },
    },
    'the user name or the id of bob@p.example.\n  file: identity',
  ],
  ['an incomplete row', { rows: { users: [{ item_id: 'a' }] } }, 'file: rows.users'],
  ['rows without columns', { rows: { roles: [{}] } }, 'file: rows.roles'],
  [
    'a row twice',
    {
      rows: {
        organizations: ['a', 'a'].map((id) => ({
          item_id: id,
          name: id,
          created_date: at,
          last_updated_date: at,
        })),
      },
    },
    'file: rows.organizations',
  ],
  [
    'a tool with a token URL that is none',
    {
      rows: {
        tools: [
          {
            item_id: 't',
            name: 't',
            description: '',
            auth: { type: 'oauth2', grantType: 'AUTHORIZATION_CODE', tokenUrl: 'here' },
            created_at: at,
            updated_at: at,
          },
        ],
      },
    },
    'file: rows.tools\n  member: 0.auth.tokenUrl',
  ],
  [
    'an agent in an unknown state',
    { rows: { agents: [{ item_id: 'a', name: 'A', status: 'asleep', tool_ids: [] }] } },
    'file: rows.agents\n  member: 0.status',
  ],
  [
    'a webhook without an address',
    { rows: { webhooks: [{ item_id: 'w', url: 'here', content_type: 'application/json' }] } },
    'file: rows.webhooks\n  member: 0.url',
  ],
  [
    'a text that the database cannot store',
    { rows: { knowledge: [{ agent_id: 'a\u0000' }] } },
    'body.rows.knowledge.0.agent_id contains the character U+0000',
  ],
  [
    'an integer that would be rounded',
    '{"rows": {"tools": [{"name": "t", "auth": {"type": "none"}, "tutorial": {"n": 9007199254740993}}]}}' as unknown as object,
    'file: rows.tools\n  member: 0.tutorial.n',
  ],
  [
    'a file outside its folder',
    { rows: { stored_files: [{ item_id: 'f', system_name: '../f', name: 'f' }] } },
    'member: system_name',
  ],
]

function clientOf(platform: Platform) {
  const send = (method: string, path: string, body?: unknown) =>
    platform.fetch(
      new Request(`http://platform.local/_platform/projects${path}`, {
        method,
        headers: { authorization: `Bearer ${controlToken}` },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      }),
    )
  const read = async (path: string): Promise<unknown> => {
    const response = await send('GET', path)
    return response.status === 200 ? response.json() : response.status
  }
  return { send, read }
}

/** Returns the JSON of a project with changes, which may be JSON themselves. */
const bodyOf = (change: object | string): string =>
  typeof change === 'string'
    ? `${JSON.stringify({ ...base, name: 'After' }).slice(0, -1)},${change.slice(1)}`
    : JSON.stringify({ ...base, name: 'After', ...change })

onEachEngine((engine) => {
  const open = async () => {
    const platform = await engine.open({ controlToken })
    onTestFinished(() => platform.close())
    return { platform, ...clientOf(platform) }
  }

  it('changes nothing if any part of an import is refused', async () => {
    const { send, read } = await open()
    for (const exists of [false, true]) {
      if (exists) await send('POST', '', base)
      const before = await read('/P/export?secrets=true')
      expect(before === 404).toBe(!exists)
      for (const [what, change, error] of refused) {
        const response = await send('POST', '', bodyOf(change))
        const { title } = (await response.json()) as { title: string }
        expect([response.status, title], what).toEqual([400, expect.stringContaining(error)])
        expect(await read('/P/export?secrets=true'), what).toEqual(before)
      }
    }
  })

  it('changes nothing if a reset reads a folder with a part that is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-reset-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const write = async (change: object) => {
      for (const { path, text } of projectFiles({ ...base, ...change })) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
    }
    const { platform, send, read } = await open()
    await write({})
    await platform.loadProject(folder)
    await send('POST', '/P/languages', { languageCode: 'fr', languageName: 'French' })
    const before = await read('/P/export?secrets=true')
    await write({ drafts: [{ module: 'x', key: 'A', language: 'en', value: 'a' }] })
    const response = await send('POST', '/P/reset')
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('no module x'),
    ])
    expect(await read('/P/export?secrets=true')).toEqual(before)
    await write({})
    expect((await send('POST', '/P/reset')).status).toBe(200)
    expect(await read('/P/languages')).toHaveLength(2)
    expect(await read('/P/drafts')).toEqual(base.drafts)
  })

  it('refuses a user of an identity file who has the name of another one', async () => {
    const { send, read } = await open()
    await send('POST', '', base)
    const before = await read('/P/export?secrets=true')
    const users = [
      { email: 'eve@p.example' },
      { email: 'bob@p.example', userName: 'ada@p.example' },
    ]
    const response = await send('PUT', '/P/identity', { users })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('Another user has the user name or the id of bob@p.example.'),
    ])
    expect(await read('/P/export?secrets=true')).toEqual(before)
  })

  it('keeps a fallback that is a language of the project, so that each export can be imported', async () => {
    const { platform, send, read } = await open()
    const fallback = async () => ((await read('/P/export')) as { fallback: string }).fallback
    await send('POST', '', base)
    expect(await fallback()).toBe('de')
    await send('DELETE', '/P/languages/de')
    expect(await fallback()).toBe('en')
    await send('DELETE', '/P/languages/en')
    expect(await fallback()).toBe('')
    const exported = await read('/P/export?secrets=true')
    expect((await send('POST', '', exported)).status).toBe(200)
    expect(await read('/P/export?secrets=true')).toEqual(exported)
    expect(await platform.projectKeys()).toContain('P')
  })

  it('imports the webhook of an export without secrets, with a new signing secret', async () => {
    const { send, read } = await open()
    const row = {
      item_id: 'w',
      url: 'https://receiver.example/hook',
      content_type: 'application/json',
      is_disabled: false,
      created_at: at,
      updated_at: at,
    }
    const imported = { ...base, rows: { webhooks: [row] } }
    expect((await send('POST', '', imported)).status).toBe(200)
    expect(await read('/P/webhook')).toMatchObject({ signingSecret: expect.any(String) })
  })
})
