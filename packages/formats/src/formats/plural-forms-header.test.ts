import { describe, expect, it } from 'vitest'
import { categoriesOf, gettextForms } from './plural-forms-header.ts'

describe('gettextForms', () => {
  it.each([
    ['en-US', ['one', 'other']],
    ['ja-JP', ['other']],
    ['pl-PL', ['one', 'few', 'many']],
    ['ru', ['one', 'few', 'many']],
    ['cs', ['one', 'few', 'other']],
    ['lv', ['one', 'other', 'zero']],
    ['ar-EG', ['zero', 'one', 'two', 'few', 'many', 'other']],
  ])('are those of %s, in the order of the expression', (language, categories) => {
    expect(gettextForms(language)?.categories).toEqual(categories)
  })

  it('has an expression for the languages of most users', () => {
    const languages =
      'ar bg bn cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh'
    const without = languages.split(' ').filter((language) => !gettextForms(language))
    expect(without).toEqual([])
  })
})

describe('categoriesOf', () => {
  it('reads an expression that treats a few numbers differently than CLDR', () => {
    expect(categoriesOf('nplurals=2; plural=(n != 1);', 'fr')).toEqual(['one', 'other'])
  })

  it('knows one and two forms without a language', () => {
    expect(categoriesOf('nplurals=2; plural=n>1', undefined)).toEqual(['one', 'other'])
    expect(categoriesOf('nplurals=3; plural=n', undefined)).toBeUndefined()
  })

  it('refuses what is not an expression, and never runs it', () => {
    for (const expression of ['n;alert(1)', 'alert(1)', '(n', 'n n', '', 'n ? 1', 'm']) {
      expect(() => categoriesOf(`nplurals=2; plural=${expression};`, 'de')).toThrow(SyntaxError)
    }
  })
})
