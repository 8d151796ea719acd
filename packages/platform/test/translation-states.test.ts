import type { states as contract, translations } from '@servicekit/contract/control'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { onEachEngine } from '@servicekit/testing/engines'
import { get, project } from '@servicekit/testing/projects'
import { createPlatform, type Platform } from '../src/index.ts'
import { control, removeProject } from './control-client.ts'

const source = project('P', {
  'en-US': { auth: { SIGN_IN: 'Sign in', SAVE: 'Save' }, cart: { PAY: 'Pay now' } },
  'de-DE': { auth: { SIGN_IN: 'Anmelden', SAVE: null }, cart: { PAY: 'Jetzt zahlen' } },
  'fr-FR': { auth: { SIGN_IN: 'Connexion', SAVE: '[Key missing]' }, cart: { PAY: '' } },
})

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ clock: 'frozen', seed: 1, audit: 'instance-1' })
  })
  beforeEach(async () => {
    await platform.loadProject(source)
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
  const save = async (...drafts: readonly object[]) => {
    const saved = await on('PUT', '/drafts', drafts)
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    return (saved.body as { states: unknown }).states
  }
  const change = (
    language: string,
    expected: string,
    more: Partial<contract.StateChange> = {},
  ): contract.StateChange => ({
    module: 'auth',
    key: 'SIGN_IN',
    language,
    expected,
    state: 'reviewed',
    ...more,
  })
  const review = async (...changes: readonly contract.StateChange[]) => {
    const response = await on('PUT', '/states', changes)
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    return response.body
  }
  const statesOf = async (key = 'SIGN_IN', on_ = platform) => {
    const path = `/projects/P/keys?search=${key}`
    const { body } = await control(on_, 'GET', path)
    return (body as { items: translations.KeyRecord[] }).items[0]!.states
  }
  const file = async (language: string, module = 'auth') => {
    const query = { Language: language, ModuleName: module, ProjectKey: 'P' }
    const response = await get(platform, '/uilm/v1/Key/GetUilmFile', query, { key: 'P' })
    return (await response.json()) as unknown
  }

  it('a reviewed translation becomes translated when its text changes', async () => {
    expect(await review(change('de-DE', 'Anmelden'))).toEqual({ changed: 1 })
    expect(await review(change('de-DE', 'Anmelden'))).toEqual({ changed: 0 })
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed' })
    expect(await save(draft('de-DE', 'Einloggen'))).toEqual([
      { module: 'auth', key: 'SIGN_IN', states: {} },
    ])
    expect(await statesOf()).toEqual({})
    await review(change('de-DE', 'Einloggen'))
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed' })
    await review(change('de-DE', 'Einloggen', { state: 'translated' }))
    expect(await statesOf()).toEqual({})
  })

  it('undoing an edit restores the state of the served text', async () => {
    await review(change('de-DE', 'Anmelden'))
    await save(draft('de-DE', 'Einloggen'))
    await save({ ...draft('de-DE', 'Anmelden'), expected: 'Einloggen' })
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed' })
    await save(draft('de-DE', 'Einloggen'))
    await on('DELETE', '/drafts')
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed' })
  })

  it('translations need a review when the source text changes, until it changes back', async () => {
    await review(change('de-DE', 'Anmelden'))
    const outdated = { 'de-DE': 'needsReview', 'fr-FR': 'needsReview' }
    expect(await save(draft('en-US', 'Log in'))).toMatchObject([{ states: outdated }])
    expect(await statesOf()).toEqual(outdated)
    await save({ ...draft('en-US', 'Sign in'), expected: 'Log in' })
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed' })
    await save(draft('en-US', 'Log in'), draft('fr-FR', 'Se connecter'))
    // The French text was written with the new source text.
    expect(await statesOf()).toEqual({ 'de-DE': 'needsReview' })
    await on('DELETE', '/drafts?module=auth&key=SIGN_IN')
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed' })
  })

  it('a review counts again when the source text for which it was made is back', async () => {
    await save(draft('en-US', 'Log in'))
    await review(change('de-DE', 'Anmelden', { source: 'Log in' }))
    await save(draft('en-US', 'Enter'))
    expect(await statesOf()).toEqual({ 'de-DE': 'needsReview', 'fr-FR': 'needsReview' })
    await save(draft('en-US', 'Log in'))
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed', 'fr-FR': 'needsReview' })
    await save(draft('en-US', 'Sign in'))
    expect(await statesOf()).toEqual({ 'de-DE': 'needsReview' })
  })

  it('a draft needs a review when the source text that it was made for is discarded', async () => {
    await save(draft('en-US', 'Log in'))
    await save(draft('de-DE', 'Einloggen'))
    await review(change('de-DE', 'Einloggen', { source: 'Log in' }))
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed', 'fr-FR': 'needsReview' })
    await save({ ...draft('en-US', 'Sign in') })
    expect(await statesOf()).toEqual({ 'de-DE': 'needsReview' })
  })

  it('a review sets the state for the current source text', async () => {
    await save(draft('en-US', 'Log in'))
    await review(change('de-DE', 'Anmelden'))
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed', 'fr-FR': 'needsReview' })
    await review(change('fr-FR', 'Connexion', { state: 'translated' }))
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed' })
    expect((await on('POST', '/publish')).body).toMatchObject({ withheld: 0 })
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed' })
    await save(draft('en-US', 'Sign in'))
    expect(await statesOf()).toEqual({ 'de-DE': 'needsReview', 'fr-FR': 'needsReview' })
  })

  it('somebody can ask for a review', async () => {
    await review(change('de-DE', 'Anmelden'))
    await review(change('de-DE', 'Anmelden', { state: 'needsReview' }))
    expect(await statesOf()).toEqual({ 'de-DE': 'needsReview' })
    await review(change('de-DE', 'Anmelden', { state: 'translated' }))
    expect(await statesOf()).toEqual({})
  })

  it('texts that are set at once follow the same rules', async () => {
    await review(change('de-DE', 'Anmelden'), change('fr-FR', 'Connexion'))
    await on('PUT', '/texts', [draft('de-DE', 'Einloggen'), draft('en-US', 'Log in')])
    expect(await statesOf()).toEqual({ 'fr-FR': 'needsReview' })
    await on('PUT', '/texts', [draft('de-DE', 'Einloggen'), draft('fr-FR', 'Se connecter')])
    expect(await statesOf()).toEqual({})
  })

  it('refuses a review of texts that have changed, and of none', async () => {
    const refused = async (status: number, title: string, one: contract.StateChange) => {
      const response = await on('PUT', '/states', [change('fr-FR', 'Connexion'), one])
      expect(response).toMatchObject({ status, body: { title } })
      expect(await statesOf()).toEqual({})
    }
    const outdated = 'The translation of SIGN_IN has changed since it was read.'
    await refused(409, outdated, change('de-DE', 'Einloggen'))
    await refused(409, outdated, change('de-DE', 'Anmelden', { source: 'Log in' }))
    await refused(409, outdated, change('de-DE', 'Anmelden', { source: null }))
    await refused(400, 'The translation of PAY has no text.', {
      ...change('fr-FR', ''),
      module: 'cart',
      key: 'PAY',
    })
    await refused(400, 'The project has no language xx.', change('xx', 'Anmelden'))
    await save({ module: 'auth', key: 'SIGN_IN', isRemoved: true })
    await refused(409, outdated, change('de-DE', 'Anmelden'))
  })

  it('sets states of the own project only', async () => {
    await platform.loadProject({ ...source, key: 'Q' })
    await review(change('de-DE', 'Anmelden'))
    await save(draft('en-US', 'Log in'))
    const { body } = await control(platform, 'GET', '/projects/Q/export')
    expect(body).toMatchObject({ states: [], publishOnlyReviewed: false })
    const path = '/projects/Q/keys?search=SIGN_IN'
    expect((await control(platform, 'GET', path)).body).toMatchObject({ items: [{ states: {} }] })
  })

  it('counts the translations of each language by state', async () => {
    await review(change('de-DE', 'Anmelden'))
    await save(draft('en-US', 'Buy', 'PAY', 'cart'), draft('en-US', 'New', 'NEW', 'cart'))
    const { body } = await on('GET', '/states')
    expect(body).toEqual([
      {
        languageCode: 'en-US',
        states: { untranslated: 0, translated: 4, needsReview: 0, reviewed: 0 },
      },
      {
        languageCode: 'de-DE',
        states: { untranslated: 2, translated: 0, needsReview: 1, reviewed: 1 },
      },
      {
        languageCode: 'fr-FR',
        states: { untranslated: 3, translated: 1, needsReview: 0, reviewed: 0 },
      },
    ])
    await save({ module: 'cart', key: 'PAY', isRemoved: true }, draft('fr-FR', ''))
    expect((await on('GET', '/states')).body).toMatchObject([
      { states: { untranslated: 0, translated: 3, needsReview: 0, reviewed: 0 } },
      { states: { untranslated: 2, translated: 0, needsReview: 0, reviewed: 1 } },
      { states: { untranslated: 3, translated: 0, needsReview: 0, reviewed: 0 } },
    ])
  })

  it('records who reviewed a translation, in the history and in the audit log', async () => {
    await review(change('de-DE', 'Anmelden'))
    expect((await on('GET', '/history?module=auth&key=SIGN_IN')).body).toMatchObject([
      {
        actor: 'control',
        language: 'de-DE',
        previous: 'Anmelden',
        value: 'Anmelden',
        state: 'reviewed',
      },
    ])
    await on('PUT', '/publishing', { onlyReviewed: true })
    const { body } = await control(platform, 'GET', '/audit')
    const changes = (body as readonly { kind: string; action: string }[]).filter(
      ({ kind, action }) => kind !== 'control' && action === 'update',
    )
    expect(changes.slice(-2)).toMatchObject([
      {
        operation: 'PUT /_platform/projects/P/states',
        kind: 'texts',
        records: ['auth/SIGN_IN'],
        total: 1,
      },
      { operation: 'PUT /_platform/projects/P/publishing', kind: 'projects', records: ['P'] },
    ])
    await on('PUT', '/texts', [draft('de-DE', 'Einloggen')])
    expect((await on('GET', '/history')).body).toMatchObject([{ state: null }, {}])
  })

  it('publishes only reviewed translations if the project says so', async () => {
    expect((await on('GET', '/publishing')).body).toEqual({ onlyReviewed: false })
    expect(await on('PUT', '/publishing', { onlyReviewed: true })).toMatchObject({ status: 200 })
    expect((await on('GET', '/publishing')).body).toEqual({ onlyReviewed: true })
    await save(
      draft('en-US', 'Log in'),
      draft('de-DE', 'Einloggen'),
      draft('fr-FR', 'Se connecter'),
      draft('de-DE', null, 'PAY', 'cart'),
    )
    await review(change('fr-FR', 'Se connecter'))
    const withheld = [{ module: 'auth', key: 'SIGN_IN', language: 'de-DE', state: 'translated' }]
    expect((await on('GET', '/drafts/withheld')).body).toEqual(withheld)
    expect((await on('POST', '/publish')).body).toEqual({
      changedModules: ['auth', 'cart'],
      withheld: 1,
    })
    expect(await file('en-US')).toMatchObject({ SIGN_IN: 'Log in' })
    expect(await file('fr-FR')).toMatchObject({ SIGN_IN: 'Se connecter' })
    expect(await file('de-DE')).toMatchObject({ SIGN_IN: 'Anmelden' })
    expect(await file('de-DE', 'cart')).toEqual({ PAY: null })
    expect((await on('GET', '/drafts')).body).toEqual([draft('de-DE', 'Einloggen')])
    expect(await statesOf()).toEqual({ 'fr-FR': 'reviewed' })

    await save(draft('en-US', 'Sign in'))
    expect((await on('GET', '/drafts/withheld')).body).toEqual([
      { ...withheld[0], state: 'needsReview' },
    ])
    await review(change('de-DE', 'Einloggen'))
    expect((await on('POST', '/publish')).body).toMatchObject({ withheld: 0 })
    expect(await file('de-DE')).toMatchObject({ SIGN_IN: 'Einloggen' })
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed', 'fr-FR': 'needsReview' })
  })

  it('errors of drafts that are left out do not prevent publishing', async () => {
    await save(draft('de-DE', 'Anmelden {{nme}}'))
    expect(await on('POST', '/publish')).toMatchObject({
      status: 422,
      body: { title: expect.stringContaining('{{nme}}') as unknown },
    })
    await on('PUT', '/publishing', { onlyReviewed: true })
    expect((await on('GET', '/drafts/problems')).body).toEqual([])
    expect(await on('POST', '/publish')).toMatchObject({ status: 200, body: { withheld: 1 } })
  })

  it('an import sets the states of its translations, and of those that are the same', async () => {
    const draft_ = draft('de-DE', 'Einloggen')
    const states = [change('de-DE', 'Einloggen'), change('fr-FR', 'Connexion')]
    const imported = await on('POST', '/imports', { drafts: [draft_], states })
    expect(imported).toMatchObject({ status: 200, body: { saved: 1 } })
    expect(await statesOf()).toEqual({ 'de-DE': 'reviewed', 'fr-FR': 'reviewed' })
    const outdated = { drafts: [draft('de-DE', 'Login')], states: [change('fr-FR', 'Login')] }
    expect((await on('POST', '/imports', outdated)).status).toBe(409)
    expect((await on('GET', '/drafts')).body).toEqual([draft_])
  })

  it('exports and imports the states and the option', async () => {
    await on('PUT', '/publishing', { onlyReviewed: true })
    await review(change('de-DE', 'Anmelden'))
    await save(draft('en-US', 'Buy', 'PAY', 'cart'), draft('fr-FR', 'Se connecter'))
    await review(change('fr-FR', 'Se connecter'))
    const exported = (await on('GET', '/export')).body as { states: unknown }
    expect(exported).toMatchObject({ publishOnlyReviewed: true })
    expect(exported.states).toEqual([
      { module: 'auth', key: 'SIGN_IN', language: 'de-DE', isReviewed: true },
      { module: 'auth', key: 'SIGN_IN', language: 'fr-FR', isDraft: true, isReviewed: true },
      { module: 'cart', key: 'PAY', language: 'de-DE', translatedFrom: 'Pay now' },
    ])
    await using other = await createPlatform({})
    const loaded = await control(other, 'POST', '/projects', exported)
    expect(loaded.status, JSON.stringify(loaded.body)).toBe(200)
    expect(await statesOf('SIGN_IN', other)).toEqual({ 'de-DE': 'reviewed', 'fr-FR': 'reviewed' })
    expect(await statesOf('PAY', other)).toEqual({ 'de-DE': 'needsReview' })
    expect((await control(other, 'GET', '/projects/P/export')).body).toEqual(exported)
  })
})
