import { describe, expect, it } from 'vitest'
import type { Catalog } from './catalog.ts'
import { inspect } from './inspect.ts'
import { buildModel } from './model.ts'
import { normaliseFile } from './normalise.ts'
import { formatProblem } from './problem.ts'

/** Returns the problems of one module. The first language is the default. */
function problemsOf(languages: Record<string, Record<string, string | null>>): string[] {
  const codes = Object.keys(languages)
  const catalog: Catalog = {
    languages: codes.map((code) => ({ code, name: code })),
    defaultLanguage: codes[0]!,
    modules: [
      {
        name: 'm',
        translations: new Map(
          codes.map((language) => [
            language,
            normaliseFile(languages[language]!, { language, module: 'm' }).translations,
          ]),
        ),
      },
    ],
  }
  const model = buildModel(catalog, { syntax: 'double-brace' })
  return inspect(model).map(
    (problem) => `${problem.severity} ${problem.code} ${formatProblem(problem)}`,
  )
}

describe('inspect', () => {
  it('reports nothing for a correct catalog', () => {
    expect(
      problemsOf({
        'en-US': { A: 'Hello {{name}}', N_one: '{{count}}', N_other: '{{count}}' },
        'de-DE': { A: '{{ name }}, hallo', N_one: 'eins', N_other: '{{count}}' },
        'ja-JP': { A: '{{name}}', N_other: '{{count}}' },
      }),
    ).toEqual([])
  })

  it('reports missing translations and their fallbacks', () => {
    expect(
      problemsOf({
        'en-US': { A: 'a', B: null },
        'de-DE': { A: '', B: '[ KEY MISSING ]' },
        'de-AT': { B: 'b' },
      }),
    ).toMatchInlineSnapshot(`
      [
        "info MISSING_TRANSLATION m A (de-DE): is not translated; en-US is used instead",
        "info MISSING_TRANSLATION m A (de-AT): is not translated; en-US is used instead",
        "info MISSING_TRANSLATION m B (en-US): is not translated and has no fallback; the key is shown",
        "info MISSING_TRANSLATION m B (de-DE): is not translated and has no fallback; the key is shown",
      ]
    `)
  })

  it('reports missing and unknown parameters with both translations', () => {
    expect(
      problemsOf({
        'en-US': { A: '{{name}} of {{place}}', B: 'none' },
        'de-DE': { A: '{{name}} in {{ort}}', B: '{{extra}}' },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning PARAMETER_MISSING m A (de-DE): omits the parameter place: de-DE "{{name}} in {{ort}}", en-US "{{name}} of {{place}}"",
        "warning PARAMETER_UNKNOWN m A (de-DE): uses the unknown parameter ort; its fallback is shown: de-DE "{{name}} in {{ort}}", en-US "{{name}} of {{place}}"",
        "warning PARAMETER_UNKNOWN m B (de-DE): uses the unknown parameter extra; its fallback is shown: de-DE "{{extra}}", en-US "none"",
      ]
    `)
  })

  it('compares the parameters of all plural forms', () => {
    expect(
      problemsOf({
        'en-US': { N: 'base {{name}}', N_one: 'one {{name}}', N_other: '' },
        'de-DE': { N_one: 'eins', N_other: '{{count}}' },
      }),
    ).toMatchInlineSnapshot(`
      [
        "info MISSING_TRANSLATION m N (de-DE): is not translated; en-US is used instead",
        "warning PARAMETER_MISSING m N (de-DE): omits the parameter name: de-DE "{{count}}", en-US "base {{name}}"",
      ]
    `)
  })

  it('reports missing plural forms', () => {
    expect(
      problemsOf({
        'en-US': { N_other: 'other', N_zero: 'none' },
        'ru-RU': { N_one: 'one', N_few: 'few', N_other: 'other' },
        'ja-JP': { N_other: 'other' },
      }),
    ).toMatchInlineSnapshot(`
      [
        "info PLURAL_MISSING m N (en-US): has no plural form one; the form other is used",
        "info PLURAL_MISSING m N (ru-RU): has no plural form many; the form other is used",
      ]
    `)
  })

  it('reports missing ordinal forms', () => {
    const german = { P_ordinal_other: '{{count}}.' }
    expect(
      problemsOf({
        'en-US': { P_ordinal_one: '{{count}}st', P_ordinal_other: '{{count}}th' },
        'de-DE': german,
        'it-IT': german,
      }),
    ).toEqual([
      'info PLURAL_MISSING m P_ordinal (en-US): has no plural form two, few; the form other is used',
      'info PLURAL_MISSING m P_ordinal (it-IT): has no plural form many; the form other is used',
    ])
  })
})
