import type { IdentityFile } from '@servicekit/contract/control'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, origin, password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import type { Platform } from '../src/index.ts'
import { removeProject } from './control-client.ts'

const controlToken = 'the-token-of-the-operator'

const texts = {
  'en-US': { auth: { SIGN_IN: 'Sign in', SAVE: 'Save' } },
  'de-DE': { auth: { SIGN_IN: 'Anmelden', SAVE: null } },
  'fr-FR': { auth: { SIGN_IN: 'Connexion', SAVE: null } },
}

const consoleRoles = {
  german: { role: 'translator', languages: ['de-DE'] },
  french: { role: 'reviewer', languages: ['fr-FR'] },
  world: { role: 'translator' },
  localization: { role: 'manager' },
  engineering: { role: 'developer' },
} satisfies NonNullable<IdentityFile['settings']>['consoleRoles']

const slugs = [...Object.keys(consoleRoles), 'leads', 'member']

const user = (name: string, roles: string[] = [name], organizationId?: string) => ({
  itemId: name,
  email: `${name}@example.com`,
  password,
  roles,
  ...(organizationId !== undefined && { organizationId }),
})

const identity = {
  settings: { consoleRoles },
  organizations: [{ itemId: 'org-other', name: 'Other' }],
  clients: [{ clientId: 'web', redirectUris: [appUri] }],
  roles: [
    { slug: 'admin' },
    ...slugs.map((slug) => ({
      slug,
      ...(slug === 'leads' && { ancestorRoleSlugs: ['german', 'french'] }),
    })),
  ],
  users: [
    ...['german', 'french', 'world', 'localization', 'engineering', 'leads', 'member'].map((name) =>
      user(name),
    ),
    user('abroad', ['german'], 'org-other'),
    { ...user('ada', ['admin']), firstName: 'Ada', lastName: 'Lovelace' },
  ],
}

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ clock: 'frozen', seed: 1, controlToken })
  })
  beforeEach(async () => {
    await platform.loadProject(project('P', texts, { identity }))
  })
  afterEach(() => removeProject(platform, 'P', controlToken))

  /** Signs a user in, and returns a function that sends requests to control operations. */
  const as = async (name: string) => {
    const { browser } = await signIn(platform, 'P', `${name}@example.com`)
    return async (method: string, path: string, body?: unknown) => {
      const response = await browser.send(`/_platform${path}`, {
        method,
        headers: { origin },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const json = text === '' ? undefined : (JSON.parse(text) as { title?: string })
      return { status: response.status, body: json, title: json?.title }
    }
  }
  type Send = Awaited<ReturnType<typeof as>>

  const draft = (language: string, value: string | null, key = 'SIGN_IN') => ({
    module: 'auth',
    key,
    language,
    value,
  })
  const save = (send: Send, ...drafts: readonly object[]) =>
    send('PUT', '/projects/P/drafts', drafts)
  const setState = (send: Send, language: string, expected: string, state: string) =>
    send('PUT', '/projects/P/states', [
      { module: 'auth', key: 'SIGN_IN', language, expected, state },
    ])

  it('translators change only texts of their languages', async () => {
    const german = await as('german')
    expect((await save(german, draft('de-DE', 'Einloggen'))).status).toBe(200)
    const refused = await save(german, draft('de-DE', 'Login'), draft('fr-FR', 'Login'))
    expect([refused.status, refused.title]).toEqual([
      403,
      'Your roles for the console do not include translations in fr-FR.',
    ])
    expect((await save(german, draft('en-US', 'Log in'))).status).toBe(403)
    const { body } = await german('GET', '/projects/P/drafts')
    expect(body).toEqual([draft('de-DE', 'Einloggen')])
    // Without a list of languages, all are theirs.
    const world = await as('world')
    expect((await save(world, draft('fr-FR', 'Login'), draft('en-US', 'Log in'))).status).toBe(200)
  })

  it('translators and reviewers neither add, change nor remove keys', async () => {
    const key = { module: 'auth', key: 'SIGN_IN' }
    const manager = await as('localization')
    for (const send of [await as('german'), await as('world'), await as('leads')]) {
      for (const change of [
        { ...key, isRemoved: true },
        { ...key, isDiscarded: true },
        { ...draft('de-DE', 'Anmelden'), details: { context: 'Button' } },
      ]) {
        const refused = await save(send, change)
        expect([refused.status, refused.title]).toEqual([
          403,
          'Translators and reviewers change only translations. Ask a manager to change the key SIGN_IN.',
        ])
      }
      for (const query of ['', '?create=true']) {
        const added = await send('PUT', `/projects/P/drafts${query}`, [
          draft('de-DE', 'Neu', 'NEW'),
        ])
        expect([added.status, added.title]).toEqual([404, 'There is no key NEW.'])
      }
      expect((await send('DELETE', '/projects/P/drafts')).status).toBe(403)
      const importing = { drafts: [draft('de-DE', 'Neu')] }
      expect((await send('POST', '/projects/P/imports', importing)).status).toBe(403)
      expect((await send('POST', '/projects/P/publish')).status).toBe(403)
    }
    expect((await manager('GET', '/projects/P/drafts')).body).toEqual([])
    // A key that only drafts contain exists; one that the next publication removes does not.
    expect(
      (await save(manager, draft('en-US', 'New', 'NEW'), { ...key, isRemoved: true })).status,
    ).toBe(200)
    const german = await as('german')
    expect((await save(german, draft('de-DE', 'Neu', 'NEW'))).status).toBe(200)
    expect((await save(german, draft('de-DE', 'Einloggen'))).title).toBe('There is no key SIGN_IN.')
  })

  it('translators add plural forms of messages that exist', async () => {
    const manager = await as('localization')
    await save(manager, draft('en-US', '{{count}} items', 'ITEMS_other'))
    const world = await as('world')
    expect((await save(world, draft('de-DE', '{{count}} Ding', 'ITEMS_one'))).status).toBe(200)
    await manager('POST', '/projects/P/publish')
    expect((await save(world, draft('fr-FR', '{{count}} choses', 'ITEMS_many'))).status).toBe(200)
    const unknown = await save(world, draft('de-DE', '{{count}} Orte', 'PLACES_one'))
    expect([unknown.status, unknown.title]).toEqual([404, 'There is no key PLACES_one.'])
    await save(manager, { module: 'auth', key: 'ITEMS_one', isRemoved: true })
    const removed = await save(world, draft('de-DE', '{{count}} Ding', 'ITEMS_one'))
    expect([removed.status, removed.title]).toEqual([404, 'There is no key ITEMS_one.'])
  })

  it('only reviewers of a language mark its translations as reviewed', async () => {
    const german = await as('german')
    const french = await as('french')
    const review = await setState(german, 'de-DE', 'Anmelden', 'reviewed')
    expect([review.status, review.title]).toEqual([
      403,
      'Only reviewers of de-DE mark translations as reviewed.',
    ])
    expect((await setState(french, 'de-DE', 'Anmelden', 'reviewed')).status).toBe(403)
    expect((await setState(french, 'fr-FR', 'Connexion', 'reviewed')).body).toEqual({ changed: 1 })
    expect((await setState(german, 'de-DE', 'Anmelden', 'needsReview')).body).toEqual({
      changed: 1,
    })
    expect((await setState(german, 'de-DE', 'Anmelden', 'translated')).body).toEqual({ changed: 1 })
    expect((await setState(german, 'fr-FR', 'Connexion', 'translated')).status).toBe(403)
    expect((await save(french, draft('fr-FR', 'Se connecter'))).status).toBe(200)
  })

  it('a descendant of roles has the rights of each, for the languages of each', async () => {
    const leads = await as('leads')
    expect((await save(leads, draft('de-DE', 'Login'), draft('fr-FR', 'Login'))).status).toBe(200)
    expect((await setState(leads, 'fr-FR', 'Login', 'reviewed')).status).toBe(200)
    expect((await setState(leads, 'de-DE', 'Login', 'reviewed')).status).toBe(403)
    const { body } = await leads('GET', '/session')
    expect(body).toMatchObject({
      projects: [
        {
          key: 'P',
          roles: expect.arrayContaining([
            { role: 'translator', languages: ['de-DE'] },
            { role: 'reviewer', languages: ['fr-FR'] },
          ]),
        },
      ],
    })
  })

  it('managers do everything about translations, and nothing else', async () => {
    const manager = await as('localization')
    const allowed = [
      await save(manager, draft('en-US', 'New', 'NEW')),
      await manager('POST', '/projects/P/languages', { languageCode: 'es-ES' }),
      await manager('PUT', '/projects/P/languages/fr-FR', { languageName: 'Français' }),
      await manager('POST', '/projects/P/modules', { moduleName: 'cart' }),
      await setState(manager, 'de-DE', 'Anmelden', 'reviewed'),
      await manager('POST', '/projects/P/publish'),
      await manager('DELETE', '/projects/P/modules/cart'),
      await manager('DELETE', '/projects/P/languages/es-ES'),
    ]
    expect(allowed.map(({ status }) => status)).toEqual([200, 201, 200, 201, 200, 200, 200, 200])
    for (const [method, path] of [
      ['GET', '/projects/P/webhook'],
      ['GET', '/projects/P/schemas'],
      ['GET', '/projects/P/tools'],
      ['GET', '/projects/P/export'],
      ['POST', '/projects/P/interface/idp/v1/Iam/GetUsers'],
      ['POST', '/projects/P/interface/data/v4/gateway'],
    ] as const) {
      const { status } = await manager(method, path, method === 'GET' ? undefined : {})
      expect([path, status]).toEqual([path, path.endsWith('export') ? 401 : 403])
    }
  })

  it('developers read translations and schemas, and operate the webhook', async () => {
    const developer = await as('engineering')
    for (const path of ['keys', 'drafts', 'history', 'schemas', 'webhook', 'deliveries']) {
      expect([path, (await developer('GET', `/projects/P/${path}`)).status]).toEqual([path, 200])
    }
    const webhook = {
      url: 'https://example.org/hook',
      contentType: 'application/json',
      isDisabled: false,
      projectKey: 'P',
    }
    expect((await developer('PUT', '/projects/P/webhook', webhook)).body).toMatchObject({
      success: true,
    })
    expect((await save(developer, draft('de-DE', 'Login'))).status).toBe(403)
    expect((await developer('PUT', '/projects/P/schemas/Thing', {})).status).toBe(403)
  })

  it('roles of another organization, and members without a role, open nothing', async () => {
    for (const name of ['abroad', 'member']) {
      const send = await as(name)
      expect((await send('GET', '/session')).body).toEqual({
        isOperator: false,
        projects: [],
        denied: ['P'],
      })
      const refused = await send('GET', '/projects/P/keys')
      expect([refused.status, refused.title]).toEqual([
        403,
        'Only administrators of the project, and members with the console role manager, translator, reviewer or developer, may do this.',
      ])
    }
  })

  it('the session names the administrators to someone with a role, and only then', async () => {
    const german = await as('german')
    expect((await german('GET', '/session')).body).toEqual({
      isOperator: false,
      projects: [
        {
          key: 'P',
          name: 'P',
          organizationId: 'org-P',
          roles: [{ role: 'translator', languages: ['de-DE'] }],
          administrators: ['Ada Lovelace'],
        },
      ],
      denied: [],
    })
    const ada = await as('ada')
    expect((await ada('GET', '/session')).body).toMatchObject({
      projects: [{ key: 'P', roles: null, administrators: [] }],
    })
  })

  it('a role that is taken away, or no longer a console role, ends with the next request', async () => {
    const german = await as('german')
    const world = await as('world')
    const operator = (path: string, body: unknown) =>
      platform.fetch(
        new Request(`${origin}/_platform/projects/P${path}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${controlToken}` },
          body: JSON.stringify(body),
        }),
      )
    expect((await german('GET', '/projects/P/keys')).status).toBe(200)
    const users = [{ ...user('german', ['member']), password: undefined }]
    expect((await operator('/identity', { users })).ok).toBe(true)
    expect((await german('GET', '/projects/P/keys')).status).toBe(403)
    expect((await world('GET', '/projects/P/keys')).status).toBe(200)
    expect((await operator('/identity', { settings: { consoleRoles: {} } })).ok).toBe(true)
    expect((await world('GET', '/projects/P/keys')).status).toBe(403)
  })

  it('a page of another origin cannot use the cookies of someone with a role', async () => {
    const { browser } = await signIn(platform, 'P', 'german@example.com')
    const response = await browser.send('/_platform/projects/P/drafts', {
      method: 'PUT',
      headers: { origin: 'https://evil.example' },
      body: JSON.stringify([draft('de-DE', 'Login')]),
    })
    expect([response.status, await response.json()]).toMatchObject([
      406,
      { Errors: { Message: 'The origin https://evil.example is not registered.' } },
    ])
  })
})

it('languages of a manager or a developer are refused in identity.json', async () => {
  const { IdentityFile } = await import('@servicekit/contract/control')
  for (const role of ['manager', 'developer']) {
    const settings = { consoleRoles: { a: { role, languages: ['de-DE'] } } }
    expect(IdentityFile.safeParse({ settings }).error?.issues).toMatchObject([
      { code: 'unrecognized_keys', keys: ['languages'] },
    ])
  }
})
