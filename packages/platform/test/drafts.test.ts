import { translation } from '@servicekit/contract'
import type { translations as contract } from '@servicekit/contract/control'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { control } from './control-client.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { get, project } from '@servicekit/testing/projects'
import { type Receiver, receiver } from '@servicekit/testing/receiver'

let hooks: Receiver
beforeAll(async () => {
  hooks = await receiver()
})
afterAll(() => hooks.close())

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ clock: 'frozen', seed: 1, outgoing: ['loopback'] })
    await platform.loadProject(
      project('P', {
        'en-US': { auth: { SIGN_IN: 'Sign in', SAVE: 'Save' }, cart: { PAY: 'Pay now' } },
        'de-DE': { auth: { SIGN_IN: 'Anmelden', SAVE: null }, cart: { PAY: '[Key missing]\n' } },
      }),
    )
    await platform.loadProject(project('Q', { 'en-US': { auth: { SIGN_IN: 'Sign in' } } }))
    await control(platform, 'PUT', '/projects/P/webhook', {
      url: hooks.address,
      contentType: 'application/json',
      isDisabled: false,
      projectKey: 'P',
    })
  })
  const on = (method: string, path: string, body?: unknown) =>
    control(platform, method, `/projects/P${path}`, body)
  const file = async (language: string, module: string) => {
    const query = { Language: language, ModuleName: module, ProjectKey: 'P' }
    const response = await get(platform, '/uilm/v1/Key/GetUilmFile', query, { key: 'P' })
    return (await response.json()) as unknown
  }
  const languages = async () => {
    const response = await get(
      platform,
      '/uilm/v1/Language/Gets',
      { ProjectKey: 'P' },
      { key: 'P' },
    )
    return ((await response.json()) as { languageCode: string }[]).map((one) => one.languageCode)
  }

  describe('drafts', () => {
    it('are refused if someone else changed the translation', async () => {
      const save = (language: string, value: string, expected: string | null) =>
        on('PUT', '/drafts', [{ language, module: 'auth', key: 'SIGN_IN', value, expected }])
      expect((await save('de-DE', 'Einloggen', 'Anmelden')).status).toBe(200)
      expect(await save('de-DE', 'Login', 'Anmelden')).toEqual({
        status: 409,
        body: expect.objectContaining({
          title: 'The translation of SIGN_IN has changed since it was read.',
        }) as unknown,
      })
      expect((await save('de-DE', 'Login', 'Einloggen')).status).toBe(200)
      // Another language of the same key is another translation.
      expect((await save('en-US', 'Log in', 'Sign in')).status).toBe(200)
      await on('PUT', '/drafts', [{ module: 'auth', key: 'SIGN_IN', isRemoved: true }])
      expect((await save('en-US', 'Log in', 'Sign in')).status).toBe(409)
      await on('DELETE', '/drafts')
      const missing = { language: 'de-DE', module: 'auth', key: 'NEW', value: 'Neu' }
      expect((await on('PUT', '/drafts', [{ ...missing, expected: 'Alt' }])).status).toBe(409)
      expect((await on('PUT', '/drafts', [{ ...missing, expected: null }])).status).toBe(200)
      await on('DELETE', '/drafts')
    })

    it('of a key are removed or discarded only if they are those that the client knows', async () => {
      const change = (more: object) =>
        on('PUT', '/drafts', [{ module: 'auth', key: 'SAVE', ...more }])
      const [removal, discarding] = [{ isRemoved: true }, { isDiscarded: true }]
      await change({ language: 'de-DE', value: 'Sichern' })
      for (const expected of [{}, null, { 'de-DE': 'Speichern' }]) {
        expect((await change({ ...removal, expected })).status).toBe(409)
        expect((await change({ ...discarding, expected })).status).toBe(409)
      }
      expect((await change({ ...removal, expected: { 'de-DE': 'Sichern' } })).status).toBe(200)
      expect((await change({ ...discarding, expected: {} })).status).toBe(409)
      // Undoing the removal restores its drafts.
      const restored = { language: 'de-DE', value: 'Sichern', expected: null }
      expect((await change(restored)).status).toBe(200)
      expect((await on('GET', '/drafts')).body).toMatchObject([{ key: 'SAVE', value: 'Sichern' }])
      await change(removal)
      expect((await change({ ...discarding, expected: null })).status).toBe(200)
      expect((await on('GET', '/drafts')).body).toEqual([])
      expect((await change({ ...removal, expected: {} })).status).toBe(200)
      expect((await change(discarding)).status).toBe(200)
      expect((await on('GET', '/drafts')).body).toEqual([])
    })

    it('are served after publishing, which sends one event', async () => {
      const before = await file('de-DE', 'auth')
      const saved = await on('PUT', '/drafts', [
        { language: 'de-DE', module: 'auth', key: 'SIGN_IN', value: 'Einloggen' },
        { language: 'de-DE', module: 'cart', key: 'NEW', value: 'Neu' },
        { module: 'auth', key: 'SAVE', isRemoved: true },
      ])
      expect(saved).toMatchObject({ status: 200, body: { saved: 3 } })
      expect(await file('de-DE', 'auth')).toEqual(before)
      expect((await on('GET', '/drafts')).body).toEqual([
        { module: 'auth', key: 'SAVE', isRemoved: true },
        { module: 'auth', key: 'SIGN_IN', language: 'de-DE', value: 'Einloggen' },
        { module: 'cart', key: 'NEW', language: 'de-DE', value: 'Neu' },
      ])
      expect((await on('POST', '/publish')).body).toMatchObject({
        changedModules: ['auth', 'cart'],
      })
      expect(await file('de-DE', 'auth')).toEqual({ SIGN_IN: 'Einloggen' })
      expect(await file('en-US', 'auth')).toEqual({ SIGN_IN: 'Sign in' })
      expect(await file('de-DE', 'cart')).toMatchObject({ NEW: 'Neu' })
      const [told] = await hooks.take(1)
      expect(told!.body).toContain('GenerateUilmFilesEvent')
      expect((await on('GET', '/drafts')).body).toEqual([])
      expect((await on('POST', '/publish')).body).toMatchObject({ changedModules: [] })
      await control(platform, 'POST', '/queue/drain')
      expect(hooks.waiting()).toBe(0)
    })

    it('with errors are published only with a reason, which the history records', async () => {
      const draft = (key: string, language: string, value: string, more = {}) => ({
        module: 'cart',
        key,
        language,
        value,
        ...more,
      })
      await on('PUT', '/texts', [
        draft('HI', 'en-US', 'Hello {{name}}'),
        draft('HI', 'de-DE', 'Hallo {{name}}'),
        draft('FINE', 'en-US', 'Fine {{x}}'),
        draft('FINE', 'de-DE', 'Gut {{y}}'),
      ])
      await on('PUT', '/drafts', [
        draft('HI', 'de-DE', 'Hallo {{nme}}'),
        draft('LONG', 'de-DE', 'Viel zu lang', { details: { maxLength: 5 } }),
        draft('LONG', 'en-US', 'Long'),
      ])
      const problems = await on('GET', '/drafts/problems')
      expect(
        (problems.body as contract.DraftProblem[]).map(
          ({ key, language, rule, severity }) => `${key} ${language} ${rule} ${severity}`,
        ),
      ).toEqual([
        'HI de-DE parameter error',
        'HI de-DE parameter error',
        'LONG de-DE length warning',
      ])
      const refused = await on('POST', '/publish', {})
      expect(refused).toMatchObject({
        status: 422,
        body: { title: expect.stringContaining('cart HI (de-DE) omits the parameter name') },
      })
      expect(await file('de-DE', 'cart')).toMatchObject({ HI: 'Hallo {{name}}' })
      expect((await on('POST', '/publish', { reason: ' ' })).status).toBe(400)
      expect((await on('POST', '/publish', { reason: 'The build follows.' })).status).toBe(200)
      expect(await file('de-DE', 'cart')).toMatchObject({ HI: 'Hallo {{nme}}' })
      const history = await on('GET', '/history?module=cart&key=HI&limit=1')
      expect(history.body).toMatchObject([{ value: 'Hallo {{nme}}', reason: 'The build follows.' }])

      // A draft of the source text concerns all translations of its message.
      await on('PUT', '/drafts', [draft('HI', 'en-US', 'Hello {{nme}}')])
      expect((await on('GET', '/drafts/problems')).body).toEqual([])
      await on('PUT', '/drafts', [draft('HI', 'en-US', 'Hello {{first}}')])
      expect((await on('POST', '/publish')).status).toBe(422)
      await on('PUT', '/drafts', [{ module: 'cart', key: 'HI', isRemoved: true }])
      expect((await on('POST', '/publish')).status).toBe(200)
      await on('PUT', '/drafts', [
        { module: 'cart', key: 'FINE', isRemoved: true },
        { module: 'cart', key: 'LONG', isRemoved: true },
      ])
      await on('POST', '/publish')
      expect(await hooks.take(4)).toHaveLength(4)
    })

    it('of new keys are refused if a key exists, unless its removal is pending', async () => {
      const draft = (key: string, more = {}) => ({
        language: 'en-US',
        module: 'cart',
        key,
        value: 'x',
        ...more,
      })
      const create = (...drafts: readonly object[]) => on('PUT', '/drafts?create=true', drafts)
      expect(await create(draft('FRESH'), draft('PAY'))).toMatchObject({
        status: 409,
        body: { title: 'The key PAY exists.' },
      })
      expect((await on('GET', '/drafts')).body).toEqual([])
      expect((await create(draft('FRESH'))).status).toBe(200)
      expect((await create(draft('FRESH'))).status).toBe(409)
      await on('PUT', '/drafts', [{ module: 'cart', key: 'PAY', isRemoved: true }])
      expect((await create(draft('PAY'))).status).toBe(200)
      await on('DELETE', '/drafts')
    })

    it('keep the details of a key when they are published', async () => {
      const details = { context: 'a button', maxLength: 12, usedIn: ['src/cart.ts'] }
      const draft = { language: 'en-US', module: 'cart', key: 'DETAILED', value: 'x' }
      await on('PUT', '/drafts', [{ ...draft, details }])
      await on('PUT', '/drafts', [{ ...draft, value: 'y' }])
      expect((await on('GET', '/drafts')).body).toEqual([{ ...draft, value: 'y', details }])
      await on('POST', '/publish')
      const { body } = await on('GET', '/keys?search=DETAILED')
      expect(body).toMatchObject({ items: [{ texts: { 'en-US': 'y' }, drafts: {}, details }] })
      const wrong = await on('PUT', '/drafts', [{ ...draft, details: { maxLength: 0 } }])
      expect(wrong.status).toBe(400)
      await on('PUT', '/drafts', [{ module: 'cart', key: 'DETAILED', isRemoved: true }])
      await on('POST', '/publish')
      await hooks.take(2)
    })

    it('replace older drafts of the same key', async () => {
      await on('PUT', '/drafts', [{ module: 'cart', key: 'PAY', isRemoved: true }])
      await on('PUT', '/drafts', [
        { language: 'de-DE', module: 'cart', key: 'PAY', value: 'Zahlen' },
      ])
      expect((await on('GET', '/drafts')).body).toEqual([
        { module: 'cart', key: 'PAY', language: 'de-DE', value: 'Zahlen' },
      ])
      expect((await on('DELETE', '/drafts?module=cart&key=PAY')).body).toEqual({ discarded: 1 })
      expect((await on('POST', '/publish')).body).toMatchObject({ changedModules: [] })
    })

    it.each([
      [{ language: 'xx', module: 'auth', key: 'A', value: '' }, 'no language xx'],
      [{ language: 'de-DE', module: 'none', key: 'A', value: '' }, 'no module none'],
      [{ language: 'de-DE', module: 'auth', key: ' ', value: '' }, 'cannot be blank'],
      [{ language: 'de-DE', module: 'auth', key: 'A', value: '\0' }, 'U+0000'],
    ])('are all rejected if one is %j', async (draft, title) => {
      const good = { language: 'de-DE', module: 'auth', key: 'A', value: 'a' }
      const answer = await on('PUT', '/drafts', [good, draft])
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ title: expect.stringContaining(title) as unknown })
      expect((await on('GET', '/drafts')).body).toEqual([])
    })
  })

  describe('languages and modules', () => {
    it('are served after publishing, with the file of keys', async () => {
      expect((await on('POST', '/languages', { languageCode: 'key' })).status).toBe(201)
      expect((await on('POST', '/languages', { languageCode: 'fr-FR' })).status).toBe(201)
      expect((await on('POST', '/modules', { moduleName: 'help' })).status).toBe(201)
      expect(await languages()).toEqual(['en-US', 'de-DE'])
      await on('PUT', '/drafts', [
        { language: 'fr-FR', module: 'help', key: 'OPEN', value: 'Ouvrir' },
      ])
      await on('POST', '/publish')
      await hooks.take(1)
      expect(await languages()).toEqual(['en-US', 'de-DE', 'key', 'fr-FR'])
      expect(await file('fr-FR', 'help')).toEqual({ OPEN: 'Ouvrir' })
      expect(await file('key', 'help')).toEqual({ OPEN: 'OPEN' })
      expect((await on('GET', '/languages')).body).toMatchObject([
        { languageCode: 'en-US', isDefault: true, isDraft: false },
        {},
        {},
        { languageCode: 'fr-FR', languageName: 'French (France)', written: 1 },
      ])
    })

    it('a renamed module keeps its keys, drafts and history', async () => {
      const draft = { language: 'fr-FR', module: 'help', key: 'OPEN', value: 'Ouvrir ici' }
      await on('PUT', '/drafts', [draft])
      const renamed = await on('PUT', '/modules/help', { moduleName: 'support' })
      expect(renamed).toEqual({ status: 200, body: { moduleName: 'support' } })
      await hooks.take(1)
      expect(await file('fr-FR', 'support')).toEqual({ OPEN: 'Ouvrir' })
      expect((await on('GET', '/drafts')).body).toEqual([{ ...draft, module: 'support' }])
      expect((await on('GET', '/history?module=support&key=OPEN')).body).toMatchObject([
        { module: 'support', value: 'Ouvrir' },
      ])
      await on('PUT', '/modules/support', { moduleName: 'help' })
      await hooks.take(1)
      await on('DELETE', '/drafts')
    })

    it('a draft of a language or a module changes nothing for applications', async () => {
      await on('POST', '/languages', { languageCode: 'es-ES' })
      await on('POST', '/modules', { moduleName: 'later' })
      for (const [method, path, body] of [
        ['PUT', '/languages/es-ES', { languageName: 'Español' }],
        ['PUT', '/modules/later', { moduleName: 'sometime' }],
        ['DELETE', '/languages/es-ES', undefined],
        ['DELETE', '/modules/sometime', undefined],
      ] as const) {
        expect((await on(method, path, body)).status).toBe(200)
      }
      const deliveries = async () => (await on('GET', '/deliveries')).body as readonly unknown[]
      const before = await deliveries()
      await on('PUT', '/languages/fr-FR', { languageName: 'French' })
      await hooks.take(1)
      expect(await deliveries()).toHaveLength(before.length + 1)
    })

    it('can be renamed, made the default and removed', async () => {
      await on('PUT', '/languages/fr-FR', { languageName: 'Français', isDefault: true })
      expect((await on('GET', '/languages')).body).toMatchObject([
        { isDefault: false },
        {},
        {},
        { languageName: 'Français', isDefault: true },
      ])
      await on('PUT', '/languages/en-US', { isDefault: true })
      expect((await on('DELETE', '/languages/fr-FR')).status).toBe(200)
      expect((await on('DELETE', '/modules/help')).status).toBe(200)
      await hooks.take(4)
      expect(await languages()).toEqual(['en-US', 'de-DE', 'key'])
      expect((await on('GET', '/modules')).body).toMatchObject([
        { moduleName: 'auth', keys: 1 },
        { moduleName: 'cart', keys: 2 },
      ])
    })

    it('are added once if names that clash arrive at the same time', async () => {
      const add = (path: string, bodies: readonly object[]) =>
        Promise.all(bodies.map((body) => on('POST', path, body)))
      const spellings = ['de-AT', 'de-at', 'DE-AT', 'De-At', 'de-aT']
      const added = await add(
        '/languages',
        spellings.map((languageCode) => ({ languageCode })),
      )
      expect(added.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400])
      const names = ['help', 'Help', 'HELP', 'hElp']
      const modules = await add(
        '/modules',
        names.map((moduleName) => ({ moduleName })),
      )
      expect(modules.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400])
      for (const code of spellings) await on('DELETE', `/languages/${code}`)
      for (const name of names) await on('DELETE', `/modules/${name}`)
    })

    it.each([
      ['POST', '/languages', { languageCode: 'en-US' }, 'already'],
      ['POST', '/languages', { languageCode: ' ' }, 'must consist of'],
      ['POST', '/modules', { moduleName: 'auth' }, 'already'],
      ['PUT', '/languages/xx', {}, 'no language xx'],
      ['DELETE', '/modules/none', undefined, 'no module none'],
      ['PUT', '/modules/none', { moduleName: 'some' }, 'no module none'],
      ['PUT', '/modules/auth', { moduleName: 'cart' }, 'already has a module cart'],
      ['PUT', '/modules/auth', { moduleName: 'CART' }, 'same file name'],
      ['PUT', '/modules/auth', { moduleName: ' ' }, 'cannot be blank'],
    ])('rejects %s %s %j', async (method, path, body, title) => {
      const answer = await on(method, path, body)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ title: expect.stringContaining(title) as unknown })
    })
  })

  describe('keys', () => {
    it('are listed with their served and drafted translations', async () => {
      await on('PUT', '/drafts', [
        { language: 'de-DE', module: 'cart', key: 'PAY', value: 'Jetzt zahlen' },
      ])
      const { body } = await on('GET', '/keys?module=cart&pageSize=1&page=2')
      expect(body).toEqual({
        totalCount: 2,
        items: [
          {
            module: 'cart',
            key: 'PAY',
            texts: { 'en-US': 'Pay now', 'de-DE': '[Key missing]\n' },
            drafts: { 'de-DE': 'Jetzt zahlen' },
            states: {},
            isRemoved: false,
          },
        ],
      })
    })

    it('are found by their translations, and by a missing language', async () => {
      const keys = async (query: string) => {
        const { body } = await on('GET', `/keys?${query}`)
        return (body as { items: { key: string }[] }).items.map(({ key }) => key)
      }
      expect(await keys('search=jetzt')).toEqual(['PAY'])
      expect(await keys('search=sign_')).toEqual(['SIGN_IN'])
      expect(await keys('search=%25')).toEqual([])
      expect(await keys('key=PA')).toEqual([])
      expect(await keys('module=cart&key=PAY')).toEqual(['PAY'])
      expect(await keys('module=auth&key=PAY')).toEqual([])
      expect(await keys('missing=en-US')).toEqual(['NEW'])
      await on('DELETE', '/drafts')
      expect(await keys('missing=de-DE')).toEqual(['PAY'])
    })
  })

  describe('suggestions', () => {
    const suggest = async (changes: object = {}, key = 'P') => {
      const body = {
        elementType: 'button',
        elementApplicationContext: 'a shop',
        elementDetailContext: 'signs in',
        sourceText: 'Sign in',
        currentLanguage: 'en-US',
        destinationLanguage: 'de-DE',
        ...changes,
      }
      const response = await platform.fetch(
        new Request('http://local/uilm/v1/Assistant/GetTranslationSuggestion', {
          method: 'POST',
          headers: { 'x-service-key': key },
          body: JSON.stringify(body),
        }),
      )
      return { status: response.status, body: (await response.json()) as unknown }
    }

    it('come from the translations of the project', async () => {
      const { status, body } = await suggest()
      expect(status).toBe(200)
      const { suggestions, contextAnalysis } = translation.Suggestions.parse(body)
      expect(suggestions![0]).toEqual({
        translation: 'Einloggen',
        confidence: 1,
        characterCount: 9,
        explanation: 'Translation of the same text in auth / SIGN_IN.',
        alternativePhrasings: [],
      })
      expect(contextAnalysis).toMatchObject({ elementType: 'button', applicationContext: 'a shop' })
    })

    it('match similar source texts, and languages by their base language', async () => {
      const similar = { sourceText: 'SIGN IN!', currentLanguage: 'en', destinationLanguage: 'de' }
      expect((await suggest(similar)).body).toMatchObject({
        suggestions: [{ translation: 'Einloggen', confidence: 0.98 }],
      })
    })

    it('are empty if no source text is similar, or all translations are too long', async () => {
      expect((await suggest({ sourceText: 'Recalibrate the flux' })).body).toMatchObject({
        suggestions: [],
      })
      expect((await suggest({ maxCharacterLength: 4 })).body).toMatchObject({ suggestions: [] })
    })

    it('never contain translations of another project', async () => {
      const { body } = await suggest({ sourceText: 'Sign in' }, 'Q')
      expect(JSON.stringify(body)).not.toContain('Einloggen')
    })

    it('require every field, a temperature within bounds, and a project', async () => {
      const { elementType: _, ...rest } = { elementType: undefined }
      expect((await suggest({ elementType: undefined, ...rest })).status).toBe(400)
      expect((await suggest({ temperature: 1.5 })).status).toBe(400)
      expect((await suggest({}, 'none')).status).toBe(401)
    })
  })

  describe('auto-translation', () => {
    it('drafts missing translations, reports progress, and notifies the webhook', async () => {
      await on('PUT', '/texts', [
        { language: 'en-US', module: 'auth', key: 'SAVE', value: 'Save' },
        { language: 'en-US', module: 'cart', key: 'SAVE', value: 'Save' },
        { language: 'de-DE', module: 'cart', key: 'SAVE', value: 'Speichern' },
        { language: 'en-US', module: 'auth', key: 'ODD', value: 'Recalibrate the flux' },
      ])
      await hooks.take(1)
      const started = await on('POST', '/translation-jobs', { languages: ['de-DE'] })
      expect(started).toMatchObject({ status: 202, body: { state: 'waiting' } })
      await control(platform, 'POST', '/queue/drain')
      const { itemId } = started.body as { itemId: string }
      const { body } = await on('GET', `/translation-jobs/${itemId}`)
      expect(body).toMatchObject({
        state: 'done',
        total: 3,
        filled: 1,
        withoutSuggestion: 2,
        belowConfidence: 0,
        error: null,
      })
      expect((await on('GET', '/drafts')).body).toEqual([
        { module: 'auth', key: 'SAVE', language: 'de-DE', value: 'Speichern' },
      ])
      expect(await file('de-DE', 'auth')).toEqual({ SIGN_IN: 'Einloggen' })
      const [told] = await hooks.take(1)
      expect(JSON.parse(told!.body)).toEqual({
        TranslateAllEvent: {
          ModuleId: null,
          MessageCoRelationId: itemId,
          ProjectKey: 'P',
          DefaultLanguage: 'en-US',
        },
        Response: true,
      })
    })

    it('counts translations whose best suggestion is not certain enough', async () => {
      await on('PUT', '/texts', [
        { language: 'en-US', module: 'cart', key: 'LONG', value: 'Your order will be delivered' },
        { language: 'de-DE', module: 'cart', key: 'LONG', value: 'Ihre Bestellung wird geliefert' },
        { language: 'en-US', module: 'cart', key: 'LIKE', value: 'Your orders will be delivered' },
      ])
      await hooks.take(1)
      const run = async (minConfidence: number) => {
        const options = { languages: ['de-DE'], modules: ['cart'], minConfidence }
        const { body: started } = await on('POST', '/translation-jobs', options)
        await control(platform, 'POST', '/queue/drain')
        const { itemId } = started as { itemId: string }
        await hooks.take(1)
        return (await on('GET', `/translation-jobs/${itemId}`)).body
      }
      const other = { filled: 0, withoutSuggestion: 2, belowConfidence: 1 }
      expect(await run(1)).toMatchObject({ ...other, request: { suggestions: 'memory' } })
      expect(await run(0.7)).toMatchObject({ filled: 1, withoutSuggestion: 1, belowConfidence: 0 })
      await on('DELETE', '/drafts')
      const removed = { module: 'cart', isRemoved: true }
      await on(
        'PUT',
        '/drafts',
        ['LONG', 'LIKE'].map((key) => ({ ...removed, key })),
      )
      await on('POST', '/publish')
      await hooks.take(1)
    })

    it('publishes its drafts if requested', async () => {
      await on('DELETE', '/drafts')
      await on('POST', '/translation-jobs', { modules: ['auth'], publish: true })
      const told = await hooks.take(2)
      expect(told.map(({ body }) => Object.keys(JSON.parse(body) as object)[0]).sort()).toEqual([
        'GenerateUilmFilesEvent',
        'TranslateAllEvent',
      ])
      expect(await file('de-DE', 'auth')).toMatchObject({ SAVE: 'Speichern' })
      await control(platform, 'POST', '/queue/drain')
    })

    it('rejects languages, modules and jobs that do not exist', async () => {
      expect((await on('POST', '/translation-jobs', { languages: ['xx'] })).status).toBe(400)
      expect((await on('POST', '/translation-jobs', { modules: ['xx'] })).status).toBe(400)
      expect((await on('GET', '/translation-jobs/none')).status).toBe(404)
      expect((await on('DELETE', '/translation-jobs/none')).status).toBe(404)
    })
  })
})
