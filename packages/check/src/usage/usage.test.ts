import { type Catalog, modelOf, normaliseFile } from '@servicekit/catalog'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { prefixAliases } from './aliases.ts'
import { extractScript, pathInCode } from './extract-script.ts'
import { virtualRoutes } from './import-routes.ts'
import { readUsage } from './usage.ts'

const keys: Record<string, readonly string[]> = {
  auth: [
    'SIGN_IN',
    'SIGN_OUT',
    'WELCOME',
    'CLOSED',
    'ERR_404',
    'ERR_500',
    'ERR_TIMEOUT',
    'ITEMS_one',
    'ITEMS_other',
    'PLACE_ordinal_one',
    'PLACE_ordinal_other',
    'sign.in',
    'form.title',
  ],
  common: ['SAVE', 'CANCEL', 'CLOSE', 'OK', 'YES', 'NO', 'sort-by-price', 'delete'],
  errors: ['E1', 'E2', 'E3', 'E4', 'E5', 'FRIEND', 'FRIEND_male', 'FRIEND_female'],
}
const catalog: Catalog = {
  defaultLanguage: 'en',
  languages: [{ code: 'en', name: 'English' }],
  modules: Object.entries(keys).map(([name, list]) => {
    const raw = Object.fromEntries(list.map((key) => [key, `${key} {{name}}`]))
    return {
      name,
      translations: new Map([
        ['en', normaliseFile(raw, { language: 'en', module: name }).translations],
      ]),
    }
  }),
}
const model = modelOf(catalog, { syntax: 'double-brace', fallback: {} })

const corpus = readFileSync(new URL('../../test/usage-corpus.txt', import.meta.url), 'utf8')
const [, ...sections] = corpus.split(/^--- (.+)\n/m)
const sources = Array.from({ length: sections.length / 2 }, (_, index) => ({
  path: sections[2 * index]!,
  text: sections[2 * index + 1]!,
}))

/** Labels in the corpus by `file:line`. */
const labels = new Map(
  sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index): [string, string[]][] => {
      const label = /⟵(.*?)(?:\*\/|-->|$)/.exec(line)?.[1]?.trim()
      return label ? [[`${path}:${index + 1}`, label.split(/\s+/).sort()]] : []
    }),
  ),
)

describe('the labelled corpus', () => {
  const routes = virtualRoutes([
    ...prefixAliases({ '@/': 'src/' }),
    { start: '#texts', end: undefined, targets: ['src/wrap/hooks.ts'] },
  ])
  const report = readUsage(model, { files: sources, others: [], routes }, { hooks: ['useWords'] })

  it('has at least 200 labelled usages', () => {
    expect([...labels.values()].flat().length).toBeGreaterThanOrEqual(200)
  })

  it('is read without a missing and without a false usage', () => {
    const found = new Map<string, string[]>()
    const add = (at: { file: string; line: number }, what: string): void => {
      const location = `${at.file}:${at.line}`
      found.set(location, [...(found.get(location) ?? []), what].sort())
    }
    for (const one of report.usages) add(one, `${one.module}.${one.key}`)
    for (const one of report.dynamic) add(one, `*${one.module}`)
    for (const { module, name, ...at } of report.unknown) {
      add(at, `?${[module, name].filter((part) => part !== undefined).join('.')}`)
    }
    const lines = (all: ReadonlyMap<string, readonly string[]>) =>
      sources.flatMap(({ path, text }) =>
        text.split('\n').flatMap((_, index) => {
          const names = all.get(`${path}:${index + 1}`)
          return names ? [`${path}:${index + 1} ${[...new Set(names)].join(' ')}`] : []
        }),
      )
    expect(lines(found)).toEqual(lines(labels))
  })
})

describe('extractScript', () => {
  it('preserves the position of every character of a component', () => {
    const text = `<script setup>\nimport { A } from 'x'\n</script>\n<p :a="A()">{{ A }}</p>`
    const script = extractScript('x.vue', text)
    expect(script.name).toBe('x.vue.js')
    expect(script.text.length).toBe(text.length)
    expect(script.text.split('\n')).toEqual([
      '              ',
      `import { A } from 'x'`,
      ';        ',
      '     ;(A());;( A );    ',
    ])
  })
})

it('finds paths in a long line without one in linear time', () => {
  const line = 'a'.repeat(1_000_000)
  expect([...`${line} ./messages/cart.js`.matchAll(pathInCode)].map(([path]) => path)).toEqual([
    './messages/cart.js',
  ])
})
