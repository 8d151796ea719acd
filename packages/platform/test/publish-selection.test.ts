import type { translations } from '@servicekit/contract/control'
import { onEachEngine } from '@servicekit/testing/engines'
import { get, project } from '@servicekit/testing/projects'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { control, removeProject } from './control-client.ts'

const source = project(
  'P',
  {
    'en-US': { auth: { SIGN_IN: 'Sign in', OLD: 'Old' }, cart: { PAY: 'Pay' } },
    'de-DE': { auth: { SIGN_IN: 'Anmelden', OLD: 'Alt' }, cart: { PAY: 'Zahlen' } },
    'fr-FR': { auth: { SIGN_IN: 'Connexion', OLD: 'Vieux' }, cart: { PAY: 'Payer' } },
  },
  {},
)

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ clock: 'frozen', seed: 1, audit: 'test' })
  })
  beforeEach(async () => {
    await platform.loadProject(source)
    await on('PUT', '/drafts', [
      draft('de-DE', 'Einloggen'),
      draft('fr-FR', 'Se connecter'),
      draft('de-DE', 'Bezahlen', 'PAY', 'cart'),
      { module: 'auth', key: 'OLD', isRemoved: true },
    ])
  })
  afterEach(() => removeProject(platform, 'P'))

  const on = (method: string, path: string, body?: unknown) =>
    control(platform, method, `/projects/P${path}`, body)
  const draft = (language: string, value: string | null, key = 'SIGN_IN', module = 'auth') => ({
    module,
    key,
    language,
    value,
  })
  const publish = async (selection?: translations.PublishSelection, more: object = {}) => {
    const { status, body } = await on('POST', '/publish', { selection, ...more })
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  const file = async (language: string, module = 'auth') => {
    const query = { Language: language, ModuleName: module, ProjectKey: 'P' }
    const response = await get(platform, '/uilm/v1/Key/GetUilmFile', query, { key: 'P' })
    return (await response.json()) as unknown
  }
  /** Returns what is not published, as `LANGUAGE KEY`. */
  const left = async () =>
    ((await on('GET', '/drafts')).body as translations.Draft[]).map((one) =>
      'language' in one ? `${one.language} ${one.key}` : `remove ${one.key}`,
    )

  it('publishes the drafts of languages, and leaves removals of keys', async () => {
    expect(await publish({ languages: ['de-DE'] })).toEqual({
      changedModules: ['auth', 'cart'],
      withheld: 2,
    })
    expect(await file('de-DE')).toEqual({ SIGN_IN: 'Einloggen', OLD: 'Alt' })
    expect(await file('fr-FR')).toEqual({ SIGN_IN: 'Connexion', OLD: 'Vieux' })
    expect(await left()).toEqual(['remove OLD', 'fr-FR SIGN_IN'])
  })

  it('accepts as many known drafts as an import may create', async () => {
    const drafts = (await on('GET', '/drafts')).body as translations.Draft[]
    const response = await platform.fetch(
      new Request('http://platform.local/_platform/projects/P/publish', {
        method: 'POST',
        // More than other operations read.
        body: `${' '.repeat(17 * 1024 * 1024)}${JSON.stringify({ drafts })}`,
      }),
    )
    expect(response.status).toBe(200)
    expect(await left()).toEqual([])
  })

  it('publishes the drafts of modules, with removals of keys', async () => {
    expect(await publish({ modules: ['auth'] })).toEqual({ changedModules: ['auth'], withheld: 1 })
    expect(await file('fr-FR')).toEqual({ SIGN_IN: 'Se connecter' })
    expect(await left()).toEqual(['de-DE PAY'])
  })

  it('publishes the drafts of keys, and of all conditions only those that meet each', async () => {
    const keys = [
      { module: 'cart', key: 'PAY' },
      { module: 'auth', key: 'SIGN_IN' },
    ]
    await publish({ keys, languages: ['fr-FR'] })
    expect(await left()).toEqual(['remove OLD', 'de-DE SIGN_IN', 'de-DE PAY'])
    await publish({ keys: keys.slice(0, 1) })
    expect(await left()).toEqual(['remove OLD', 'de-DE SIGN_IN'])
    await publish({ keys: [{ module: 'auth', key: 'OLD' }] })
    expect(await file('de-DE')).toEqual({ SIGN_IN: 'Anmelden' })
    expect(await left()).toEqual(['de-DE SIGN_IN'])
  })

  it('publishes the drafts of states', async () => {
    const review = { ...draft('de-DE', null), state: 'reviewed', expected: 'Einloggen' }
    const { value: _, ...change } = review
    await on('PUT', '/states', [change])
    await on('PUT', '/drafts', [draft('fr-FR', null, 'PAY', 'cart')])
    await publish({ states: ['reviewed'] })
    expect(await left()).toEqual(['remove OLD', 'fr-FR SIGN_IN', 'de-DE PAY', 'fr-FR PAY'])
    await publish({ states: ['untranslated'] })
    expect(await left()).toEqual(['remove OLD', 'fr-FR SIGN_IN', 'de-DE PAY'])
    await publish()
    expect(await left()).toEqual([])
  })

  it('publishes a new language and a new module with their first translation', async () => {
    await on('POST', '/languages', { languageCode: 'es-ES' })
    await on('POST', '/modules', { moduleName: 'help' })
    await on('PUT', '/drafts', [draft('es-ES', 'Entrar'), draft('en-US', 'Help', 'HELP', 'help')])
    const drafted = async (list: 'languages' | 'modules') =>
      ((await on('GET', `/${list}`)).body as { isDraft: boolean }[]).filter(
        ({ isDraft }) => isDraft,
      ).length
    await publish({ languages: ['de-DE'] })
    expect([await drafted('languages'), await drafted('modules')]).toEqual([1, 1])
    await publish({ languages: ['es-ES'] })
    expect(await file('es-ES')).toMatchObject({ SIGN_IN: 'Entrar' })
    expect([await drafted('languages'), await drafted('modules')]).toEqual([0, 1])
    await publish({ modules: ['help'] })
    expect([await drafted('languages'), await drafted('modules')]).toEqual([0, 0])
  })

  it('refuses errors of the selected drafts only, and those that the selection causes', async () => {
    await on('PUT', '/drafts', [draft('fr-FR', '{{wrong}}'), draft('en-US', 'Sign in, {{name}}')])
    await on('PUT', '/drafts', [draft('de-DE', 'Einloggen, {{name}}')])
    const refused = await on('POST', '/publish', { selection: { languages: ['de-DE'] } })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ title: expect.stringContaining('SIGN_IN (de-DE)') })
    await publish({ modules: ['cart'] })
    await on('PUT', '/drafts', [draft('fr-FR', 'Connexion, {{name}}')])
    await publish({ languages: ['en-US', 'de-DE', 'fr-FR'] })
    expect(await left()).toEqual(['remove OLD'])
  })

  it('previews a selection with the authors, and publishes what the client knows of it', async () => {
    const selection = { languages: ['de-DE'] }
    const preview = await on('POST', '/publish/preview', { selection })
    expect(preview.body).toEqual({
      drafts: [draft('de-DE', 'Einloggen'), draft('de-DE', 'Bezahlen', 'PAY', 'cart')],
      authors: ['SIGN_IN', 'PAY'].map((key) => ({
        module: key === 'PAY' ? 'cart' : 'auth',
        key,
        language: 'de-DE',
        actor: 'control',
        author: null,
      })),
      problems: [],
      withheld: [],
    })
    const { drafts } = preview.body as { drafts: unknown }
    // A change beyond the selection does not matter.
    await on('PUT', '/drafts', [draft('fr-FR', 'Ouvrir')])
    await on('PUT', '/drafts', [draft('de-DE', 'Login')])
    const outdated = await on('POST', '/publish', { selection, drafts })
    expect(outdated.status).toBe(409)
    const again = (await on('POST', '/publish/preview', { selection })).body as { drafts: unknown }
    expect(await publish(selection, { drafts: again.drafts })).toMatchObject({ withheld: 2 })
  })

  it('refuses a selection that names what the project does not have', async () => {
    const refused = async (selection: object) => {
      const { status, body } = await on('POST', '/publish', { selection })
      return [status, (body as { title: string }).title]
    }
    expect(await refused({ languages: ['xx'] })).toEqual([400, 'The project has no language xx.'])
    expect(await refused({ modules: ['none'] })).toEqual([400, 'The project has no module none.'])
    expect((await refused({ languages: [] }))[0]).toBe(400)
    expect(await left()).toHaveLength(4)
  })

  it('leaves out selected drafts that are not reviewed if the project says so', async () => {
    await on('PUT', '/publishing', { onlyReviewed: true })
    const selection = { languages: ['de-DE'] }
    const { body } = await on('POST', '/publish/preview', { selection })
    expect(body).toMatchObject({
      withheld: [{ key: 'SIGN_IN', state: 'translated' }, { key: 'PAY' }],
    })
    expect(await publish(selection)).toEqual({ changedModules: [], withheld: 4 })
  })
})
