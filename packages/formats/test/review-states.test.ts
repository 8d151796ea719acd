import { describe, expect, it } from 'vitest'
import {
  importRequest,
  planImport,
  readTranslations,
  suggestMapping,
  writeTranslations,
} from '../src/index.ts'

const names = { languages: ['en-US', 'de-DE'], modules: ['auth'], defaultLanguage: 'en-US' }
const message = (key: string, german: string, state?: 'reviewed' | 'needsReview') => ({
  module: 'auth',
  key,
  texts: new Map([
    ['en-US', `English ${german}`],
    ['de-DE', german],
  ]),
  ...(state && { states: new Map([['de-DE', state]]) }),
})
const messages = [
  message('REVIEWED', 'Geprüft', 'reviewed'),
  message('TRANSLATED', 'Übersetzt'),
  message('OUTDATED', 'Veraltet', 'needsReview'),
]

const read = (content: string) =>
  readTranslations({ path: 'a.xlf', bytes: new TextEncoder().encode(content) }, names)

/** Plans the import of a file into a project. */
async function plan(content: string, keys: Parameters<typeof planImport>[1]['keys'] = []) {
  const files = await read(content)
  return planImport(
    files,
    { ...names, keys },
    {
      mapping: suggestMapping(files, names),
      keyPrefix: '',
      isReplacing: true,
      acceptsProblems: false,
      skipsUnreviewed: false,
    },
  )
}

describe.each(['xliff', 'xliff2'] as const)('the states of a translation in %s', (format) => {
  const written = async () => {
    const input = { messages, languages: ['en-US', 'de-DE'], sourceLanguage: 'en-US' }
    const [file] = await writeTranslations(format, input)
    return String(file!.content)
  }

  it('are written and read', async () => {
    const [{ entries } = { entries: [] }] = await read(await written())
    const states = entries.filter(({ isSource }) => !isSource).map(({ key, state }) => [key, state])
    expect(states).toEqual([
      ['OUTDATED', 'needs-review'],
      ['REVIEWED', 'reviewed'],
      ['TRANSLATED', undefined],
    ])
  })

  it('make an imported translation reviewed, also one that is the same already', async () => {
    const state = { module: 'auth', key: 'REVIEWED', language: 'de-DE', state: 'reviewed' }
    const expected = [{ ...state, expected: 'Geprüft' }]
    const request = importRequest(await plan(await written()))
    expect(request.drafts).toHaveLength(6)
    expect(request.states).toEqual(expected)

    const keys = messages.map(({ module, key, texts }) => ({
      module,
      key,
      texts: Object.fromEntries(texts),
    }))
    const same = importRequest(await plan(await written(), keys))
    expect(same.drafts).toEqual([])
    expect(same.states).toEqual(expected)
    const reviewed = keys.map((one) => ({ ...one, states: { 'de-DE': 'reviewed' } }))
    expect((await plan(await written(), reviewed)).reviews).toEqual([])
  })
})

it('a translation that is left out does not become reviewed', async () => {
  const wrong = { ...message('WRONG', 'Hallo {{nme}}', 'reviewed') }
  wrong.texts.set('en-US', 'Hello {{name}}')
  const input = { messages: [wrong], languages: names.languages, sourceLanguage: 'en-US' }
  const [file] = await writeTranslations('xliff', input)
  const { changes, reviews } = await plan(String(file!.content))
  expect(changes.map(({ language }) => language)).toEqual(['en-US'])
  expect(reviews).toEqual([])
})

it.each([
  ['approved="yes"', '', 'reviewed'],
  ['approved="no"', '', 'needs-review'],
  ['', ' state="signed-off"', 'reviewed'],
  ['', ' state="final"', 'reviewed'],
  ['', ' state="translated"', undefined],
  ['approved="yes"', ' state="needs-review-translation"', 'needs-review'],
])('reads the state of XLIFF 1.2 with %s and%s', async (unit, target, expected) => {
  const content = `<xliff version="1.2"><file original="auth" source-language="en-US" target-language="de-DE"><body><trans-unit id="K" ${unit}><source>A</source><target${target}>B</target></trans-unit></body></file></xliff>`
  const [{ entries } = { entries: [] }] = await read(content)
  expect(entries.find(({ isSource }) => !isSource)!.state).toBe(expected)
})
