import type { IdentityFile, tasks } from '@servicekit/contract/control'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, origin, password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createPlatform, type OutgoingMail, type Platform } from '../src/index.ts'
import { control, removeProject } from './control-client.ts'

const controlToken = 'the-token-of-the-operator'

const texts = {
  'en-US': { auth: { SIGN_IN: 'Sign in', SAVE: 'Save' }, cart: { PAY: 'Pay' } },
  'de-DE': { auth: { SIGN_IN: 'Anmelden', SAVE: null }, cart: { PAY: 'Zahlen' } },
  'fr-FR': { auth: { SIGN_IN: 'Connexion', SAVE: null }, cart: { PAY: null } },
}

const consoleRoles = {
  german: { role: 'translator', languages: ['de-DE'] },
  proofreading: { role: 'reviewer', languages: ['de-DE'] },
  localization: { role: 'manager' },
  engineering: { role: 'developer' },
} satisfies NonNullable<IdentityFile['settings']>['consoleRoles']

const slugs = Object.keys(consoleRoles)
const user = (name: string, role: string = name) => ({
  itemId: name,
  email: `${name}@example.com`,
  password,
  firstName: name[0]!.toUpperCase() + name.slice(1),
  lastName: 'Person',
  roles: [role],
})

const identity = {
  settings: { consoleRoles },
  clients: [{ clientId: 'web', redirectUris: [appUri] }],
  roles: [{ slug: 'admin' }, { slug: 'member' }, ...slugs.map((slug) => ({ slug }))],
  users: [...slugs.map((name) => user(name)), user('ada', 'admin'), user('bob', 'member')],
}

/** Members of the responses that the tests read. */
interface Body {
  readonly id: number
  readonly text: string
  readonly title: string
  readonly totalCount: number
  readonly items: readonly tasks.TaskRecord[]
}

interface Received {
  readonly status: number
  readonly body: Body
  readonly title: string | undefined
}

const key = { module: 'auth', key: 'SIGN_IN' }
const german = { ...key, language: 'de-DE' }

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ clock: 'frozen', seed: 1, controlToken, audit: 'test' })
  })
  beforeEach(async () => {
    await platform.loadProject(project('P', texts, { identity }))
  })
  afterEach(() => removeProject(platform, 'P', controlToken))

  /** Sends a request as the operator. */
  const operator = async (method: string, path: string, body?: unknown): Promise<Received> => {
    const headers = { authorization: `Bearer ${controlToken}` }
    const response = await platform.fetch(
      new Request(`${origin}/_platform/projects/P${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    return read(response)
  }
  const read = async (response: Response): Promise<Received> => {
    const text = await response.text()
    const body = (text === '' ? {} : JSON.parse(text)) as Body
    return { status: response.status, body, title: body.title }
  }
  /** Signs a user in, and returns a function that sends requests to control operations. */
  const as = async (name: string) => {
    const { browser } = await signIn(platform, 'P', `${name}@example.com`)
    return async (method: string, path: string, body?: unknown): Promise<Received> =>
      read(
        await browser.send(`/_platform/projects/P${path}`, {
          method,
          headers: { origin },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
  }
  const comment = (more: object = {}) => ({ ...key, text: 'Is this a button?', ...more })
  const assignment = (more: object = {}) => ({
    keys: [key],
    languages: ['de-DE'],
    person: 'german',
    due: '2026-12-24',
    ...more,
  })
  const draft = (language: string, value: string | null, more: object = {}) => ({
    ...key,
    language,
    value,
    ...more,
  })
  const counts = async (send: typeof operator, person?: string) =>
    (await send('GET', `/tasks/counts${person === undefined ? '' : `?person=${person}`}`)).body
  const none = { mentions: 0, assigned: 0, toReview: 0, needsReview: 0 }

  it('people comment on a message, mention others and resolve the comment', async () => {
    const translator = await as('german')
    const developer = await as('engineering')
    const mentions = ['engineering', 'ada', 'engineering']
    const added = await translator('POST', '/comments', comment({ language: 'de-DE', mentions }))
    expect(added).toMatchObject({
      status: 200,
      body: {
        ...german,
        text: 'Is this a button?',
        actor: 'user:german',
        author: 'German Person',
        mentions: [
          { id: 'engineering', name: 'Engineering Person', isActive: true },
          { id: 'ada', name: 'Ada Person', isActive: true },
        ],
        isResolved: false,
      },
    })
    const { id } = added.body
    expect(await counts(developer)).toEqual({ ...none, mentions: 1 })
    expect((await developer('GET', '/tasks?kind=mentions')).body).toEqual({
      totalCount: 1,
      items: [
        {
          ...german,
          text: 'Anmelden',
          source: 'Sign in',
          due: null,
          comment: {
            id,
            text: 'Is this a button?',
            actor: 'user:german',
            author: 'German Person',
          },
        },
      ],
    })
    await developer('POST', '/comments', comment({ text: 'It is.' }))
    const listed = await translator('GET', '/comments?module=auth&key=SIGN_IN')
    expect(listed.body).toMatchObject({
      totalCount: 2,
      items: [{ text: 'It is.', language: null }, { id }],
    })
    const page = await translator('GET', '/comments?page=2&pageSize=1')
    expect(page.body).toMatchObject({ totalCount: 2, items: [{ id }] })
    const resolved = await developer('PUT', `/comments/${id}`, { isResolved: true })
    expect(resolved.body).toMatchObject({ id, isResolved: true })
    expect(await counts(developer)).toEqual(none)
    await translator('PUT', `/comments/${id}`, { isResolved: false })
    expect(await counts(developer)).toEqual({ ...none, mentions: 1 })
    const missing = await developer('PUT', '/comments/999', { isResolved: true })
    expect([missing.status, missing.title]).toEqual([404, 'There is no such comment.'])
  })

  it('a comment needs text, an existing key and people of the console', async () => {
    const send = await as('german')
    const refused = async (more: object) => {
      const { status, title } = await send('POST', '/comments', comment(more))
      return [status, title]
    }
    expect((await refused({ text: ' \n' }))[1]).toContain('must contain text')
    expect((await refused({ text: 'x'.repeat(5001) }))[1]).toContain('<=5000')
    expect(await refused({ key: 'NONE' })).toEqual([404, 'There is no key NONE.'])
    expect(await refused({ module: 'none' })).toEqual([404, 'There is no key SIGN_IN.'])
    expect(await refused({ language: 'xx' })).toEqual([400, 'The project has no language xx.'])
    expect(await refused({ mentions: ['bob'] })).toEqual([
      400,
      'bob is no active person with a role for the console.',
    ])
    expect((await send('GET', '/comments')).body).toEqual({ totalCount: 0, items: [] })
    expect((await send('POST', '/comments', comment({ text: '<b>&amp;' }))).body.text).toBe(
      '<b>&amp;',
    )
  })

  it('only its author and managers remove a comment', async () => {
    const author = await as('german')
    const first = (await author('POST', '/comments', comment())).body.id
    const second = (await author('POST', '/comments', comment())).body.id
    const refused = await (await as('engineering'))('DELETE', `/comments/${first}`)
    expect([refused.status, refused.title]).toEqual([
      403,
      'Only its author, managers of translations and administrators remove a comment.',
    ])
    expect((await author('DELETE', `/comments/${first}`)).status).toBe(204)
    expect((await (await as('localization'))('DELETE', `/comments/${second}`)).status).toBe(204)
    expect((await author('DELETE', `/comments/${second}`)).status).toBe(404)
    const { body } = await author('GET', '/comments')
    expect(body).toMatchObject({
      totalCount: 2,
      items: [
        { id: second, text: '', removedBy: 'user:localization', removedAt: expect.any(String) },
        { id: first, text: '', removedBy: 'user:german', actor: 'user:german', isResolved: true },
      ],
    })
    for (const method of ['PUT', 'DELETE']) {
      const again = await author(method, `/comments/${first}`, { isResolved: false })
      expect([method, again.status]).toEqual([method, 404])
    }
  })

  it('only its author changes a comment, and mentions more people', async () => {
    const author = await as('german')
    const { id } = (await author('POST', '/comments', comment({ mentions: ['engineering'] }))).body
    const developer = await as('engineering')
    const reviewer = await as('proofreading')
    const text = { text: 'A link.', mentions: ['proofreading'] }
    for (const name of ['engineering', 'localization']) {
      const refused = await (await as(name))('PUT', `/comments/${id}/text`, text)
      expect([refused.status, refused.title]).toEqual([403, 'Only its author changes a comment.'])
    }
    const edited = await author('PUT', `/comments/${id}/text`, text)
    expect(edited.body).toMatchObject({
      id,
      text: 'A link.',
      editedAt: expect.any(String),
      mentions: [{ id: 'proofreading' }],
    })
    expect(await counts(developer)).toMatchObject({ mentions: 0 })
    expect(await counts(reviewer)).toMatchObject({ mentions: 1 })
    expect((await author('PUT', `/comments/${id}/text`, { text: ' ' })).status).toBe(400)
    expect((await author('PUT', '/comments/999/text', text)).status).toBe(404)
  })

  it('lists the messages that people have to do with', async () => {
    const author = await as('german')
    const marks = async (query: string) =>
      (
        (await author('GET', `/marks?${query}`)).body as unknown as {
          readonly key: string
          readonly languages: unknown
        }[]
      ).map((one) => [one.key, one.languages])
    await author('POST', '/comments', comment({ mentions: ['engineering'] }))
    await operator('PUT', '/assignments', assignment({ person: 'german' }))
    const assigned = await marks('kind=assigned')
    expect(assigned.length).toBeGreaterThan(0)
    expect(await marks('kind=assigned&person=german')).toEqual(assigned)
    expect(await marks('kind=assigned&person=engineering')).toEqual([])
    expect(await marks('kind=comments')).toEqual([['SIGN_IN', expect.any(Array)]])
    expect(await marks('kind=mentions&person=engineering')).toEqual([
      ['SIGN_IN', expect.any(Array)],
    ])
    expect(await marks('kind=mentions&person=german')).toEqual([])
    await author('PUT', '/drafts', [
      { module: 'auth', key: 'SIGN_IN', language: 'de-DE', value: 'Los' },
    ])
    expect(await marks('kind=changed&person=german')).toEqual([['SIGN_IN', ['de-DE']]])
    expect(await marks('kind=changed&person=engineering')).toEqual([])
    expect((await author('GET', '/marks?kind=none')).status).toBe(400)
  })

  it('lists the people whom one can mention, with the languages that they edit', async () => {
    const send = await as('german')
    await operator('PUT', '/assignments', assignment({ person: 'proofreading' }))
    await operator('POST', '/interface/iam/v4/iam/users/deactivate', { userId: 'proofreading' })
    const person = (id: string, edits: string[] | null, more: object = {}) => ({
      id,
      name: `${id[0]!.toUpperCase()}${id.slice(1)} Person`,
      isActive: true,
      isCaller: false,
      edits,
      ...more,
    })
    expect((await send('GET', '/people')).body).toEqual([
      person('ada', null),
      person('engineering', []),
      person('german', ['de-DE'], { isCaller: true }),
      person('localization', null),
      person('proofreading', [], { isActive: false }),
    ])
  })

  it('an assignment waits for the person until the translation is saved or reviewed', async () => {
    const translator = await as('german')
    const manager = await as('localization')
    const both = { keys: [key, { module: 'cart', key: 'PAY' }] }
    expect((await manager('PUT', '/assignments', assignment(both))).body).toEqual({ changed: 2 })
    expect((await manager('PUT', '/assignments', assignment(both))).body).toEqual({ changed: 0 })
    expect(await counts(translator)).toEqual({ ...none, assigned: 2 })
    await manager('PUT', '/assignments', assignment({ keys: [both.keys[1]!], due: '2026-12-01' }))
    const { items } = (await translator('GET', '/tasks?kind=assigned')).body
    expect(items.map((one) => [one.key, one.language, one.text, one.due])).toEqual([
      ['PAY', 'de-DE', 'Zahlen', '2026-12-01'],
      ['SIGN_IN', 'de-DE', 'Anmelden', '2026-12-24'],
    ])
    await manager('PUT', '/drafts', [draft('de-DE', 'Login')])
    expect(await counts(translator)).toMatchObject({ assigned: 2 })
    await translator('PUT', '/drafts', [draft('fr-FR', 'x')])
    await translator('PUT', '/drafts', [draft('de-DE', 'Einloggen')])
    expect(await counts(translator)).toMatchObject({ assigned: 1 })
    expect((await manager('GET', '/assignments?module=auth&key=SIGN_IN')).body).toEqual([
      {
        ...german,
        person: { id: 'german', name: 'German Person', isActive: true },
        due: '2026-12-24',
        doneAt: expect.stringMatching(/^20\d\d-/),
      },
    ])
    await manager('PUT', '/assignments', assignment({ person: 'proofreading' }))
    const reviewer = await as('proofreading')
    expect(await counts(reviewer)).toMatchObject({ assigned: 1 })
    await reviewer('PUT', '/states', [{ ...german, state: 'reviewed', expected: 'Einloggen' }])
    expect(await counts(reviewer)).toMatchObject({ assigned: 0 })
  })

  it('assignments are marked as done, opened again and given to nobody', async () => {
    const translator = await as('german')
    await operator('PUT', '/assignments', assignment())
    const finish = (isDone: boolean) =>
      translator('PUT', '/assignments/done', { translations: [german], isDone })
    expect((await finish(true)).body).toEqual({ changed: 1 })
    expect((await finish(true)).body).toEqual({ changed: 0 })
    expect(await counts(translator)).toEqual(none)
    expect((await finish(false)).body).toEqual({ changed: 1 })
    expect(await counts(translator)).toEqual({ ...none, assigned: 1 })
    const nobody = assignment({ person: null, due: null })
    expect((await translator('PUT', '/assignments', nobody)).body).toEqual({ changed: 1 })
    expect((await translator('GET', '/assignments?module=auth&key=SIGN_IN')).body).toEqual([])
  })

  it('one assigns translations of the own languages to people who may edit them', async () => {
    const translator = await as('german')
    const refused = async (send: typeof operator, more: object) => {
      const { status, title } = await send('PUT', '/assignments', assignment(more))
      return [status, title]
    }
    expect(await refused(translator, { languages: ['de-DE', 'fr-FR'] })).toEqual([
      403,
      'Your roles for the console do not include translations in fr-FR.',
    ])
    expect(await refused(operator, { languages: ['de-DE', 'fr-FR'] })).toEqual([
      400,
      'The roles of German Person do not include translations in fr-FR.',
    ])
    expect(await refused(operator, { person: 'engineering' })).toEqual([
      400,
      'The roles of Engineering Person do not include translations in de-DE.',
    ])
    expect(await refused(operator, { person: 'bob' })).toEqual([
      400,
      'bob is no active person with a role for the console.',
    ])
    const unknown = { keys: [key, { module: 'auth', key: 'NONE' }] }
    expect(await refused(translator, unknown)).toEqual([404, 'There is no key NONE.'])
    expect(await refused(operator, { person: null, languages: ['xx'] })).toEqual([
      400,
      'The project has no language xx.',
    ])
    expect((await refused(operator, { due: '24.12.2026' }))[1]).toContain('due')
    const done = { translations: [{ ...german, language: 'fr-FR' }], isDone: true }
    expect((await translator('PUT', '/assignments/done', done)).status).toBe(403)
    expect(await counts(translator)).toEqual(none)
  })

  it('drafts wait for reviewers, and outdated translations for everyone who edits them', async () => {
    const [translator, reviewer] = [await as('german'), await as('proofreading')]
    await translator('PUT', '/drafts', [draft('de-DE', 'Einloggen')])
    await operator('PUT', '/drafts', [draft('fr-FR', 'Se connecter')])
    expect(await counts(reviewer)).toEqual({ ...none, toReview: 1 })
    expect(await counts(translator)).toEqual(none)
    expect((await reviewer('GET', '/tasks?kind=toReview')).body).toEqual({
      totalCount: 1,
      items: [{ ...german, text: 'Einloggen', source: 'Sign in', comment: null, due: null }],
    })
    await operator('PUT', '/drafts', [draft('en-US', 'Log in')])
    expect(await counts(reviewer)).toEqual({ ...none, needsReview: 1 })
    expect(await counts(translator)).toEqual({ ...none, needsReview: 1 })
    expect(await counts(await as('localization'))).toEqual({ ...none, needsReview: 2 })
    expect((await translator('GET', '/tasks?kind=needsReview')).body).toMatchObject({
      totalCount: 1,
      items: [{ ...german, text: 'Einloggen', source: 'Log in' }],
    })
    await reviewer('PUT', '/states', [{ ...german, state: 'reviewed', expected: 'Einloggen' }])
    expect(await counts(reviewer)).toEqual(none)
    // Somebody asks for a review of a served translation.
    const asked = { module: 'cart', key: 'PAY', language: 'de-DE' }
    await translator('PUT', '/states', [{ ...asked, state: 'needsReview', expected: 'Zahlen' }])
    expect((await reviewer('GET', '/tasks?kind=needsReview')).body.items).toMatchObject([asked])
  })

  it('the operator reads the tasks of a person', async () => {
    await operator('POST', '/comments', comment({ mentions: ['german'] }))
    const refused = await operator('GET', '/tasks/counts')
    expect([refused.status, refused.title]).toEqual([
      400,
      'The operator is no person. Send the parameter person.',
    ])
    expect(await counts(operator, 'german')).toEqual({ ...none, mentions: 1 })
    expect(await counts(operator, 'nobody')).toEqual(none)
  })

  it('comments and assignments follow a renamed module, and go with a removed one', async () => {
    const translator = await as('german')
    await operator('POST', '/comments', comment({ mentions: ['german'] }))
    await operator('POST', '/comments', comment({ language: 'de-DE', mentions: ['german'] }))
    await operator('PUT', '/assignments', assignment())
    await operator('PUT', '/modules/auth', { moduleName: 'account' })
    const { items } = (await translator('GET', '/tasks?kind=assigned')).body
    expect(items).toMatchObject([{ module: 'account', key: 'SIGN_IN' }])
    const here = '/comments?module=account&key=SIGN_IN'
    expect((await translator('GET', here)).body.totalCount).toBe(2)
    await operator('DELETE', '/languages/de-DE')
    expect((await translator('GET', here)).body.totalCount).toBe(1)
    expect(await counts(translator)).toEqual({ ...none, mentions: 1 })
    await operator('DELETE', '/modules/account')
    expect(await counts(translator)).toEqual(none)
    expect((await operator('GET', '/comments')).body.totalCount).toBe(0)
  })

  it('a removed key waits for nobody, and has its comments and assignments once it is back', async () => {
    const translator = await as('german')
    await operator('POST', '/comments', comment({ mentions: ['german'] }))
    await operator('PUT', '/assignments', assignment())
    const waiting = { ...none, mentions: 1, assigned: 1 }
    expect(await counts(translator)).toEqual(waiting)
    await operator('PUT', '/drafts', [{ ...key, isRemoved: true }])
    expect(await counts(translator)).toEqual(none)
    await operator('POST', '/publish')
    expect(await counts(translator)).toEqual(none)
    await operator('PUT', '/drafts', [draft('en-US', 'Sign in')])
    expect(await counts(translator)).toEqual(waiting)
  })

  it('sends mails about mentions and assignments only if the project wants them', async () => {
    const manager = await as('localization')
    const act = async () => {
      const mentions = ['german', 'localization']
      await manager('POST', '/comments', comment({ mentions }))
      await manager('PUT', '/assignments', assignment())
    }
    await act()
    expect((await operator('GET', '/inbox')).body).toEqual([])
    expect((await manager('GET', '/notifications')).body).toEqual({ byMail: false })
    const translator = await as('german')
    expect((await translator('PUT', '/notifications', { byMail: true })).status).toBe(403)
    expect((await manager('PUT', '/notifications', { byMail: true })).body).toEqual({
      byMail: true,
    })
    await act()
    await manager('PUT', '/assignments', assignment({ due: null }))
    const mails = (await operator('GET', '/inbox')).body as unknown as readonly OutgoingMail[]
    expect(mails.map((mail) => [mail.recipient, mail.purpose]).toSorted()).toEqual([
      ['german@example.com', 'Assignment'],
      ['german@example.com', 'Mention'],
    ])
    const mention = mails.find(({ purpose }) => purpose === 'Mention')!
    expect(mention.subject).toBe('P: a comment mentions you')
    const { items } = (await manager('GET', '/comments')).body
    const { id } = items[0] as unknown as { readonly id: number }
    expect(mention.body).toBe(
      `Localization Person mentions you in a comment on SIGN_IN:\n\nIs this a button?\n\n${origin}/console/translations/auth/SIGN_IN?comment=${id}&project=P\n`,
    )
  })

  it('exports and imports comments, assignments and the option', async () => {
    await operator('POST', '/comments', comment({ mentions: ['german'], language: 'de-DE' }))
    const { id } = (await operator('POST', '/comments', comment({ text: 'Yes\n"it" is' }))).body
    await operator('PUT', `/comments/${id}`, { isResolved: true })
    await operator('PUT', `/comments/${id}/text`, { text: 'Yes,\n"it" is' })
    const removed = (await operator('POST', '/comments', comment({ text: 'Wrong' }))).body.id
    await operator('DELETE', `/comments/${removed}`)
    await operator('PUT', '/assignments', assignment({ languages: ['de-DE'] }))
    await operator('PUT', '/assignments', assignment({ person: 'ada', languages: ['fr-FR'] }))
    const done = { translations: [german], isDone: true }
    await operator('PUT', '/assignments/done', done)
    await operator('PUT', '/notifications', { byMail: true })
    const exported = (await operator('GET', '/export')).body
    expect(exported).toMatchObject({
      notifyByMail: true,
      comments: [
        { ...german, text: 'Is this a button?', actor: 'control', mentions: ['german'] },
        { ...key, text: 'Yes,\n"it" is', isResolved: true, editedAt: expect.any(String) },
        { ...key, text: '', removedAt: expect.any(String), removedBy: 'control' },
      ],
      assignments: [
        { ...german, person: 'german', due: '2026-12-24', doneAt: expect.any(String) },
        { ...german, language: 'fr-FR', person: 'ada', due: '2026-12-24' },
      ],
    })
    await using other = await createPlatform({})
    const loaded = await control(other, 'POST', '/projects', exported)
    expect(loaded.status, JSON.stringify(loaded.body)).toBe(200)
    expect((await control(other, 'GET', '/projects/P/export')).body).toEqual(exported)
    const foreign = [{ ...german, module: 'none', person: 'german' }]
    const refused = await control(other, 'POST', '/projects', { ...exported, assignments: foreign })
    expect(refused).toMatchObject({
      status: 400,
      body: { title: expect.stringContaining('An assignment names a language or a module') },
    })
  })
})
