import { describe, expect, it } from 'vitest'
import { writeRuntime } from '../../test/write-runtime.ts'
import { isRightToLeft, languageAliases, relativesOf } from './languages.ts'

it.each(['ar-EG', 'he', 'iw', 'fa_IR', 'ur', 'pa-Arab', 'az-IR', 'uz-AF', 'ar-XB', 'ckb', 'dv'])(
  '%s is written from right to left',
  (code) => expect(isRightToLeft(code)).toBe(true),
)
it.each(['en-US', 'ar-Latn', 'pa', 'uz', 'zh-Hant-TW', 'en-US-POSIX', 'x-y', '', 'xx'])(
  '%s is not',
  (code) => expect(isRightToLeft(code)).toBe(false),
)

describe('relativesOf', () => {
  it.each([
    ['zh-Hant-TW', ['zh', 'zh-Hant', 'zh-CN'], ['zh-Hant']],
    ['zh-Hant-HK', ['zh', 'zh-Hant', 'zh-TW'], ['zh-Hant', 'zh-TW']],
    ['zh-SG', ['zh-TW', 'zh', 'zh-CN'], ['zh-CN', 'zh']],
    ['sr-Latn', ['sr', 'sr-RS', 'sr-Latn-RS'], ['sr-Latn-RS']],
    ['en-US-POSIX', ['en', 'en-US'], ['en-US', 'en']],
    ['en-GB', ['en-US', 'en'], ['en-US', 'en']],
    ['pt-BR', ['pt-PT', 'pt'], ['pt-PT', 'pt']],
    ['de_AT', ['de', 'de_DE'], ['de_DE', 'de']],
    ['xx-YY', ['xx', 'en'], ['xx']],
    ['es-MX', ['es', 'es-ES', 'es-419'], ['es-419', 'es-ES', 'es']],
    ['pt-AO', ['pt', 'pt-BR', 'pt-PT'], ['pt-PT', 'pt-BR', 'pt']],
    ['en-AU', ['en-US', 'en-GB'], ['en-GB', 'en-US']],
    ['not a code', ['en'], []],
  ])('%s among %j are %j', (code, languages, relatives) => {
    expect(relativesOf(code, [...languages, code])).toEqual(relatives)
  })
})

describe('languageAliases', () => {
  it.each([
    [['en-US', 'de-DE', 'fr-FR', 'ja-JP', 'ar-EG', 'bn-BD'], {}],
    [['en', 'no'], { nb: 'no', nn: 'no' }],
    [['en', 'nb-NO'], { nn: 'nb-NO', no: 'nb-NO' }],
    [['en', 'iw'], { he: 'iw' }],
    [['en', 'de_DE'], { de: 'de_DE', 'de-de': 'de_DE' }],
    [['en', 'zh-TW'], {}],
    [
      ['en', 'zh-CN', 'zh-TW'],
      Object.fromEntries(
        ['', '-hk', '-mo', '-tw']
          .map((end) => `zh-hant${end}`)
          .concat('zh-hk', 'zh-mo')
          .map((code) => [code, 'zh-TW']),
      ),
    ],
    [
      ['en', 'sr', 'sr-Latn'],
      { 'sr-latn-me': 'sr-Latn', 'sr-latn-rs': 'sr-Latn', 'sr-me': 'sr-Latn' },
    ],
  ])('maps the languages of visitors to %j', (languages, aliases) => {
    expect(languageAliases(languages)).toEqual(aliases)
  })
})

describe('the language of a visitor, by the rules of CLDR', () => {
  it.each([
    ['es', ['es-419', 'es-ES'], 'es-ES'],
    ['es', ['es-MX', 'es-419', 'es'], 'es'],
    ['es-MX', ['es-ES', 'es-419'], 'es-419'],
    ['es-MX', ['es', 'es-419'], 'es-419'],
    ['es-MX', ['es-ES', 'es-AR'], 'es-AR'],
    ['es-PH', ['es-419', 'es-ES'], 'es-ES'],
    ['es_419', ['es-ES', 'es-419'], 'es-419'],
    ['pt', ['pt-PT', 'pt-BR'], 'pt-BR'],
    ['pt', ['pt-PT', 'pt'], 'pt'],
    ['pt-AO', ['pt', 'pt-PT'], 'pt-PT'],
    ['pt-US', ['pt-PT', 'pt-BR'], 'pt-BR'],
    ['en-AU', ['en-US', 'en-GB'], 'en-GB'],
    ['en-CA', ['en-GB', 'en-US'], 'en-US'],
    ['en', ['en-GB', 'en-US'], 'en-US'],
    ['de', ['de-AT', 'de-DE'], 'de-DE'],
    ['fr-BE', ['fr-CA', 'fr-FR'], 'fr-FR'],
    ['zh-HK', ['zh_CN', 'zh_TW'], 'zh_TW'],
    ['de-DE', ['de_DE'], 'de_DE'],
    ['zh', ['zh-TW', 'zh-CN'], 'zh-CN'],
    ['zh-SG', ['zh-TW', 'zh-CN'], 'zh-CN'],
    ['sr', ['sr-Latn', 'sr-Cyrl'], 'sr-Cyrl'],
    ['nl', ['nl-BE', 'nl-NL'], 'nl-NL'],
  ])('%s among %j is %s, also with underscores', async (code, languages, expected) => {
    for (const spell of [String, (one: string) => one.replaceAll('-', '_')]) {
      const codes = languages.map(spell)
      const importFile = await writeRuntime({
        languages: codes.map((one) => ({ code: one, name: one })),
        defaultLanguage: codes[0]!,
        storageKey: 'language',
      })
      const { closestLanguage } = (await importFile('languages')) as {
        closestLanguage: (code: string) => string | undefined
      }
      expect(closestLanguage(code.replaceAll('_', '-'))).toBe(spell(expected))
    }
  })
})
