import { describe, expect, it } from 'vitest'
import { application } from '@servicekit/testing/application'
import { finish, migrate } from '../src/index.ts'

const call = {
  i18next: `import i18n from 'i18next'\nexport const save = () => i18n.t('common:SAVE')\n`,
  intl: `import { useTranslations } from 'next-intl'
export const Save = () => useTranslations('common')('SAVE')
`,
}
const detector = (options: string) => `import i18n from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
void i18n.use(LanguageDetector).init({ ${options} })
`
const routing = (options: string) => `import { defineRouting } from 'next-intl/routing'
export const routing = defineRouting({ locales: ['en'], defaultLocale: 'en', ${options} })
`
const storage = (code: string) => `import i18n from 'i18next'\n${code}\n`

async function storedIn(code: Readonly<Record<string, string>>) {
  const texts = { 'en-US/common': { SAVE: 'Save' } }
  const { project } = await application(texts, code)
  return (await finish(migrate({ project, sources: ['src'] }))).storedLanguage
}

describe('the place where the other library stores the language', () => {
  it.each([
    ['that of the detector of i18next', detector(''), 'i18nextLng'],
    [
      'that of the options of the detector',
      detector(`detection: { order: ['localStorage'], lookupLocalStorage: 'lang' }`),
      'lang',
    ],
    ['none if the detector stores nothing', detector('detection: { caches: [] }'), undefined],
    [
      'none if the detector stores a cookie',
      detector(`detection: { caches: ['cookie'] }`),
      undefined,
    ],
    ['one that is read by name', storage(`localStorage.getItem('app-language')`), 'app-language'],
    ['a member', storage('window.localStorage.locale'), 'locale'],
    ['a constant', storage(`const key = 'userLocale'; localStorage[key]`), 'userLocale'],
    ['none in another form', storage(`JSON.parse(localStorage.getItem('locale'))`), undefined],
    ['none of several', storage('localStorage.locale || localStorage.language'), undefined],
    ['none of something else', storage(`localStorage.getItem('theme')`), undefined],
  ])('of i18next is %s', async (_title, setup, key) => {
    const found = await storedIn({ 'src/i18n.ts': setup, 'src/save.ts': call.i18next })
    expect(found).toEqual(key === undefined ? undefined : { key, file: 'src/i18n.ts' })
  })

  it.each([
    ['the cookie of next-intl', routing(''), 'NEXT_LOCALE'],
    ['its name in the routing', routing(`localeCookie: { name: 'shop' }`), 'shop'],
    ['that cookie with other options', routing('localeCookie: { maxAge: 1 }'), 'NEXT_LOCALE'],
    ['none without a cookie', routing('localeCookie: false'), undefined],
    [
      'the cookie that a request reads',
      `import { cookies } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
const COOKIE_NAME = 'locale'
export default getRequestConfig(async () => {
  const store = await cookies()
  return { locale: store.get(COOKIE_NAME)?.value ?? store.get('theme') }
})
`,
      'locale',
    ],
  ])('of next-intl is %s', async (_title, setup, key) => {
    const found = await storedIn({ 'src/i18n/request.ts': setup, 'src/save.tsx': call.intl })
    expect(found).toEqual(key === undefined ? undefined : { key, file: 'src/i18n/request.ts' })
  })

  it('is not looked for in tests, or if no call is replaced', async () => {
    const test = storage(`localStorage.getItem('locale')`)
    expect(await storedIn({ 'src/i18n.test.ts': test, 'src/save.ts': call.i18next })).toBe(
      undefined,
    )
    expect(await storedIn({ 'src/i18n.ts': detector('') })).toBe(undefined)
  })
})
