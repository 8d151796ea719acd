import { describe, expect, it } from 'vitest'
import { emitDeclarations } from '../src/emit/declarations.ts'
import { emitI18nextResourceList, emitI18nextResources } from '../src/emit/i18next.ts'
import { emitNamedPack } from '../src/emit/pack.ts'
import { emitProgram } from '../src/emit/program.ts'
import type { Model } from '../src/model/model.ts'
import { formatProblem } from '../src/model/problem.ts'
import { modelOf } from '../src/model/model-of.ts'
import { invisible } from '@servicekit/testing/characters'

const syntaxes = ['double-brace', 'single-brace', 'icu'] as const

/** Creates a model that contains a character in every value that a service determines. */
function modelWith(text: string, syntax: (typeof syntaxes)[number]): Model {
  const [open, close] = syntax === 'double-brace' ? ['{{', '}}'] : ['{', '}']
  const parameter = syntax === 'icu' ? 'name' : `p${text}`
  const translations = new Map([
    [`A${text}B`, `a${text}b`],
    ['BOTH', `${text}${open}${parameter}${close}${text}`],
    ['LONG', text.repeat(300)],
    ['N', text],
    ['N_one', `one ${text}`],
    ['N_other', `other ${text}`],
    ['SELECT', `{x, select, a {${text}} other {o${text}}}`],
    ['FORMAT', `{{n, number(a${text}b: c${text}d)}} {{n, relativetime(day)}}`],
  ])
  return modelOf(
    {
      languages: [
        { code: 'en', name: `English ${text}` },
        { code: 'de', name: `German ${text}` },
      ],
      defaultLanguage: 'en',
      modules: [
        {
          name: `m${text}n`,
          translations: new Map([
            ['en', translations],
            ['de', translations],
          ]),
        },
        { name: `f${text}/n`, translations: new Map([['en', translations]]) },
      ],
    },
    { syntax, fallback: {} },
  )
}

/** Returns all generated files of a model by kind. */
function generatedFrom(model: Model): ReadonlyMap<string, string> {
  const [module] = model.modules
  const program = emitProgram(model, { outDir: 'out', storageKey: 'k' })
  const declarations = emitDeclarations(model, { outDir: 'types', snapshotDir: 'uilm' })
  return new Map([
    ...[...program, ...declarations].flatMap(({ path, text }) => [
      [`path ${path}`, path] as const,
      [path, text] as const,
    ]),
    ['i18next', emitI18nextResourceList(model, (language, name) => `x/${language}/${name}`)],
    ['resources', emitI18nextResources(model, module!, 'en')],
    ['named pack', emitNamedPack(model, module!.messages, 'de')],
    ...model.modules.flatMap(({ name, messages }) =>
      messages.map(({ key }) => {
        const problem = { severity: 'error', code: 'SYNTAX', module: name, key } as const
        return [`problem ${key}`, formatProblem({ ...problem, message: key })] as const
      }),
    ),
  ])
}

const count = (text: string, character: string): number => text.split(character).length - 1

describe('generated files', () => {
  it.each(syntaxes)('contain no raw control or bidirectional character: %s', (syntax) => {
    // `!` is as illegal in an identifier as the other characters.
    const plain = generatedFrom(modelWith('!', syntax))
    const found: string[] = []
    for (const character of invisible) {
      const code = character.charCodeAt(0).toString(16)
      const generated = [...generatedFrom(modelWith(character, syntax))]
      // The files have line breaks of their own. Their names differ, but not their order.
      const own = [...plain.values()].map((text) => count(text, character))
      expect(generated.length).toBe(own.length)
      generated.forEach(([name, text], index) => {
        if (count(text, character) > own[index]!) found.push(`U+${code} in ${JSON.stringify(name)}`)
      })
    }
    expect(found).toEqual([])
  })

  it('evaluate to the exact characters', () => {
    for (const character of invisible) {
      const model = modelWith(character, 'double-brace')
      const [module] = model.modules
      const code = emitNamedPack(model, module!.messages, 'en')
      const pack = new Function(code.replace('export default', 'return'))() as Record<
        string,
        string | ((args: object) => string)
      >
      const name = module!.messages.find(({ key }) => key.startsWith('A'))!.name
      expect(pack[name]).toBe(`a${character}b`)
      const both = pack['BOTH'] as (args: object) => string
      const parameter = `p${character}`.trim()
      expect(both({ [parameter]: 1 })).toBe(`${character}1${character}`)
    }
  })
})

it('does not execute code in the options of a format', () => {
  const text = '{{n, number([globalThis.attacked=1]: 1; minimumFractionDigits: 2)}}'
  const model = modelOf(
    {
      languages: [{ code: 'en', name: 'English' }],
      defaultLanguage: 'en',
      modules: [{ name: 'm', translations: new Map([['en', new Map([['A', text]])]]) }],
    },
    { syntax: 'double-brace', fallback: {} },
  )
  const [module] = model.modules
  const code = emitNamedPack(model, module!.messages, 'en')
  const pack = new Function(code.replace('export default', 'return'))() as {
    A: (args: object) => string
  }
  expect(pack.A({ n: 1 })).toBe('1.00')
  expect(globalThis).not.toHaveProperty('attacked')
})
