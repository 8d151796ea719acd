import { describe, expect, it } from 'vitest'
import { fallbackChain } from './fallback.ts'

const project = {
  languages: ['en-US', 'de', 'de-DE', 'fr-FR', 'zh-CN', 'zh-TW'],
  defaultLanguage: 'en-US',
}

describe('fallbackChain', () => {
  it.each([
    ['de-AT', 'de-AT de-DE de en-US'],
    ['de_AT', 'de_AT de-DE de en-US'],
    ['de-DE', 'de-DE de en-US'],
    ['de', 'de de-DE en-US'],
    ['fr-CA', 'fr-CA fr-FR en-US'],
    ['en-US', 'en-US'],
    ['ja-JP', 'ja-JP en-US'],
    // Different scripts are not mixed.
    ['zh-TW', 'zh-TW en-US'],
    ['zh-Hant-HK', 'zh-Hant-HK zh-TW en-US'],
    ['constructor', 'constructor en-US'],
    ['toString', 'toString en-US'],
  ])('of %s is %s', (language, chain) => {
    for (const fallback of [undefined, {}, { 'pt-BR': ['es-ES'] }]) {
      const options = fallback === undefined ? project : { ...project, fallback }
      expect(fallbackChain(language, options).join(' ')).toBe(chain)
    }
  })

  it('uses the configured fallbacks and ends with the default language', () => {
    const fallback = { 'de-AT': ['fr-FR', 'de-AT', 'fr-FR'], 'de-DE': [], 'en-US': ['de-DE'] }
    const chain = (language: string) => fallbackChain(language, { ...project, fallback }).join(' ')
    expect(chain('de-AT')).toBe('de-AT fr-FR en-US')
    expect(chain('de-DE')).toBe('de-DE en-US')
    expect(chain('en-US')).toBe('en-US de-DE')
  })
})
