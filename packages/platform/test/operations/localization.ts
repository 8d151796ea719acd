import { expect } from 'vitest'
import type { OperationCase, OperationCases } from './operation-case.ts'
import { wrongKeys } from './project-key.ts'
import { type Sent, suggestionsPerMinute } from './world.ts'

const at = (path: string, query: Readonly<Record<string, string>> = {}): Sent => ({
  path,
  query: { ProjectKey: 'P', ...query },
})
const ok = (sent: Sent, when: string, body: object): OperationCase => ({
  when,
  status: 200,
  body,
  send: (world) => world.send(sent),
})
/** Cases of the family that rejects every wrong key with 401. */
const unauthorized = (sent: Sent): readonly OperationCase[] =>
  wrongKeys(sent).map((one) => ({ ...one, status: 401, body: { code: 401 } }))

const files = (path: string): readonly OperationCase[] => {
  const asked = { Language: 'en', ModuleName: 'm' }
  const file = at(path, asked)
  const undefinedName = (changed: Record<string, string>, member: string, when: string) => ({
    when,
    status: 400,
    body: { code: 400, message: { status: 400, errors: { [member]: [expect.any(String)] } } },
    send: (world: Parameters<OperationCase['send']>[0]) =>
      world.send(at(path, { ...asked, ...changed })),
  })
  return [
    ok(file, 'for a language and a module', { A: 'a' }),
    {
      when: 'with a matching ETag',
      status: 304,
      send: async (world) => {
        const etag = (await world.send(file)).headers.get('etag')!
        return world.send({ ...file, headers: { 'if-none-match': etag } })
      },
    },
    undefinedName({ ModuleName: 'none' }, 'ModuleName', 'for a module that is not defined'),
    undefinedName({ Language: 'xx' }, 'Language', 'for a language that is not defined'),
    undefinedName({ Language: '' }, 'Language', 'without a language'),
    undefinedName({ ModuleName: '' }, 'ModuleName', 'without a module'),
    ...unauthorized(file),
    {
      when: 'with a project key of more than 64 characters',
      status: 401,
      send: (world) => world.send({ ...at(path, { ...asked, ProjectKey: 'P'.repeat(65) }) }),
    },
    {
      when: 'at an unknown path',
      isAstray: true,
      status: 404,
      body: { code: 404 },
      send: (world) => world.send(at(`${path}/nothing`, asked)),
    },
  ]
}
const suggestion = {
  path: '/uilm/v1/Assistant/GetTranslationSuggestion',
  body: {
    elementType: 'button',
    elementApplicationContext: 'a',
    elementDetailContext: 'b',
    sourceText: 'Save',
    currentLanguage: 'en',
    destinationLanguage: 'de',
  },
}
const unfit = (when: string, changed: object, member: string): OperationCase => ({
  when,
  status: 400,
  body: { code: 400, message: { errors: { [member]: [expect.any(String)] } } },
  send: (world) => world.send({ ...suggestion, body: { ...suggestion.body, ...changed } }),
})
const { sourceText: _, ...withoutText } = suggestion.body
const hook = {
  path: '/uilm/v1/Config/SaveWebHook',
  body: {
    url: 'https://example.org/',
    contentType: 'application/json',
    isDisabled: true,
    projectKey: 'P',
  },
}
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** Cases of sections 4.6 and 4.7. */
export const localizationCases: OperationCases = {
  'localization.listLanguages': [
    {
      when: 'at any time',
      status: 200,
      send: (world) => world.send(at('/localization/v4/Language/Gets')),
    },
    ...wrongKeys(at('/localization/v4/Language/Gets')),
  ],
  'localization.getFile': files('/localization/v4/Key/GetUilmFile'),
  'localization.listModules': [
    {
      when: 'at any time',
      status: 200,
      send: (world) => world.send(at('/localization/v4/Module/Gets')),
    },
    {
      when: 'on an instance without this route',
      status: 404,
      send: (world) =>
        world.send({ ...at('/localization/v4/Module/Gets', { ProjectKey: 'N' }), key: 'N' }),
    },
    ...wrongKeys(at('/localization/v4/Module/Gets')),
  ],
  'uilm.listLanguages': [
    {
      when: 'with the project header',
      status: 200,
      send: (world) => world.send(at('/uilm/v1/Language/Gets')),
    },
    {
      when: 'without the project header, of no project',
      status: 200,
      send: (world) => world.send({ ...at('/uilm/v1/Language/Gets'), key: null }),
    },
    ...unauthorized(at('/uilm/v1/Language/Gets')),
  ],
  'uilm.getFile': [
    ...files('/uilm/v1/Key/GetUilmFile'),
    {
      when: 'without the project header, of no project',
      status: 200,
      body: {},
      send: (world) =>
        world.send({
          ...at('/uilm/v1/Key/GetUilmFile', { Language: 'en', ModuleName: 'm' }),
          key: null,
        }),
    },
  ],
  'uilm.listModules': [
    {
      when: 'with the project header',
      status: 200,
      send: (world) => world.send(at('/uilm/v1/Module/Gets')),
    },
    {
      when: 'on an instance without this route',
      status: 404,
      send: (world) => world.send({ ...at('/uilm/v1/Module/Gets', { ProjectKey: 'N' }), key: 'N' }),
    },
    ...unauthorized(at('/uilm/v1/Module/Gets')),
  ],
  'translation.suggest': [
    {
      when: 'for a text that the project has translated',
      status: 200,
      body: { suggestions: [{ translation: 'Speichern' }] },
      send: (world) => world.send({ ...suggestion, key: 'T' }),
    },
    {
      when: 'for a text without a similar translation',
      status: 200,
      body: { suggestions: [] },
      send: (world) =>
        world.send({ ...suggestion, body: { ...suggestion.body, sourceText: 'Qwxz vbnm jkl' } }),
    },
    {
      when: 'without a required member',
      status: 400,
      body: { code: 400 },
      send: (world) => world.send({ ...suggestion, body: withoutText }),
    },
    unfit('with a temperature above 1', { temperature: 1.1 }, 'temperature'),
    unfit('with a temperature below 0', { temperature: -0.1 }, 'temperature'),
    unfit('with no room for a character', { maxCharacterLength: 0 }, 'maxCharacterLength'),
    {
      when: 'after many suggestions from one address in a minute',
      status: 429,
      // The quota is counted before the operation is resolved.
      isAstray: true,
      send: async (world) => {
        const sent = { ...suggestion, body: {}, headers: { 'x-forwarded-for': '192.0.2.1' } }
        // The quota refills while the requests are sent.
        const send = () => world.send(sent)
        const responses = await Promise.all(Array.from({ length: suggestionsPerMinute }, send))
        for (let count = 0; count < suggestionsPerMinute; count++) {
          const response = await send()
          if (response.status === 429) return response
        }
        return responses.at(-1)!
      },
    },
    ...unauthorized(suggestion),
  ],
  'webhooks.save': [
    {
      when: 'with the required members',
      status: 200,
      body: { success: true, errorMessage: null, validationErrors: null },
      send: (world) => world.send({ ...hook, ...bearer(world.token) }),
    },
    {
      when: 'with a URL that is not allowed',
      status: 200,
      body: { success: false, validationErrors: { url: expect.any(Array) as string[] } },
      send: (world) => {
        const body = { ...hook.body, url: 'http://127.0.0.1/' }
        return world.send({ ...hook, body, ...bearer(world.token) })
      },
    },
    {
      when: 'with an unsupported content type',
      status: 400,
      body: { success: false, validationErrors: { contentType: expect.any(Array) as string[] } },
      send: (world) => {
        const body = { ...hook.body, contentType: 'text/plain' }
        return world.send({ ...hook, body, ...bearer(world.token) })
      },
    },
    {
      when: 'without a token',
      status: 401,
      body: { code: 401 },
      send: (world) => world.send({ ...hook, by: world.admin }),
    },
    ...unauthorized(hook),
  ],
}
