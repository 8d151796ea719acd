import { Script } from 'node:vm'
import { isDeep } from '@servicekit/testing/is-deep'
import { describe, expect, it } from 'vitest'
import type { Catalog } from '../src/model/catalog.ts'
import { emitPack } from '../src/emit/pack.ts'
import { buildModel, type Model } from '../src/model/model.ts'
import { fileNameOf } from '@servicekit/core'

/** Creates a generator of deterministic numbers from 0 to below `end`. */
function createRandom(seed: number): (end: number) => number {
  let state = seed
  return (end) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end
  }
}

const words =
  'SIGN_IN sign_in Sign_In delete then default __proto__ constructor await a A ä Ä ß ẞ ı İ K K é é _ $ $$ ' +
  'x$2d_y x-y x.y x_y 404 1 01 _one _other _few _zero \u200d 🙂 𝒳 漢字 ا ﷺ'
const pieces = [
  ...words.split(' '),
  ' ',
  '-',
  '.',
  '/',
  '\\',
  '"',
  "'",
  '`',
  '${',
  '\0',
  '\n',
  '\u2028',
  '\ud800',
  '\udc00',
  '',
]

function randomText(random: (end: number) => number): string {
  let text = ''
  for (let count = 1 + random(5); count > 0; count--) {
    text += random(3) === 0 ? String.fromCharCode(random(0x10000)) : pieces[random(pieces.length)]!
  }
  return text
}

function modelOf(modules: readonly (readonly [string, ReadonlyMap<string, string>])[]): Model {
  const catalog: Catalog = {
    defaultLanguage: 'en',
    languages: [{ code: 'en', name: 'English' }],
    modules: modules.map(([name, translations]) => ({
      name,
      translations: new Map([['en', translations]]),
    })),
  }
  return buildModel(catalog, { syntax: 'double-brace' })
}

describe('random keys', () => {
  it('result in distinct exports or an error that names them', { timeout: 600_000 }, () => {
    const random = createRandom(1)
    const [total, chunk] = isDeep ? [1_000_000, 50_000] : [20_000, 10_000]
    for (let done = 0; done < total; done += chunk) {
      const keys = new Set<string>()
      while (keys.size < chunk) {
        const key = randomText(random).slice(0, 100)
        if (key !== '') keys.add(key)
      }
      const { modules, problems } = modelOf([
        ['m', new Map([...keys].sort().map((key) => [key, 'x']))],
      ])
      const { messages } = modules[0]!
      const names = new Set(messages.map(({ name }) => name))
      expect(names.size).toBe(messages.length)
      const covered = new Set(
        messages.flatMap(({ group, key }) => [
          key,
          ...(group.plural?.values() ?? []),
          ...(group.base === undefined ? [] : [group.base]),
        ]),
      )
      for (const { code, key } of problems) {
        expect(code).toBe('IDENTIFIER_CLASH')
        covered.add(key!)
      }
      expect([...keys].filter((key) => !covered.has(key))).toEqual([])
      // The names must be legal for engines; the file system is not involved.
      const list = [...names].join(', ')
      expect(() => new Script(`'use strict'; var ${list}`)).not.toThrow()
    }
  })

  it('of modules result in file names that differ in more than case, or an error', () => {
    const random = createRandom(2)
    const names = new Set<string>()
    while (names.size < (isDeep ? 100_000 : 5000)) {
      const name = randomText(random)
      if (name !== '') names.add(name)
    }
    const files = new Map<string, string>()
    const silent: string[] = []
    for (const name of names) {
      const file = fileNameOf(name).toLowerCase()
      expect(file).toMatch(/^[a-z0-9_%~-][a-z0-9_.%~-]*$/)
      const twin = files.get(file)
      const { problems } =
        twin === undefined
          ? { problems: [] }
          : modelOf([
              [twin, new Map()],
              [name, new Map()],
            ])
      const isNamed = problems.some(
        ({ code, severity, message }) =>
          code === 'MODULE_CLASH' && severity === 'error' && message.includes(twin!),
      )
      if (twin !== undefined && !isNamed) silent.push(`${twin} ${name}`)
      files.set(file, name)
    }
    expect(silent).toEqual([])
    expect(files.size).toBeLessThan(names.size)
  })
})

describe('unusual translations', () => {
  const worst = [
    '\u2028',
    '\u2029',
    '`',
    '${',
    '${alert(1)}',
    '</script>',
    '</SCRIPT >',
    '<!--',
    '-->',
    ']]>',
    '\ud800',
    '\udfff',
    '\0',
    '\\',
    '\\u0041',
    '"',
    "'",
    '\r\n',
    '\ufeff',
    '{',
    '}',
    '}}',
    '*/',
    '//',
    '\u202e',
  ]

  it('evaluate to the exact string', { timeout: 600_000 }, () => {
    const random = createRandom(3)
    const [total, chunk] = isDeep ? [100_000, 10_000] : [5000, 1000]
    for (let done = 0; done < total; done += chunk) {
      const translations = new Map<string, string>()
      for (let index = 0; index < chunk; index++) {
        let text = ''
        for (let count = 1 + random(6); count > 0; count--) {
          text += random(2) === 0 ? worst[random(worst.length)]! : randomText(random)
        }
        // Two braces would start a parameter.
        text = text.replaceAll('{{', '{ {')
        // An empty text counts as missing, and the key would be shown.
        translations.set(`K${index}`, text || ' ')
      }
      const model = modelOf([['m', translations]])
      const { messages } = model.modules[0]!
      // As stored in a UTF-8 file.
      const code = Buffer.from(emitPack(model, messages, 'en')).toString('utf8')
      expect(code).not.toMatch(/<\/script|<!--|\u2028|\u2029/i)
      const values = new Function(code.replace('export default', 'return'))() as string[]
      expect(values.length).toBe(chunk)
      const wrong = messages.filter(({ key }, index) => values[index] !== translations.get(key))
      expect(wrong.map(({ key }) => translations.get(key))).toEqual([])
    }
  })
})
