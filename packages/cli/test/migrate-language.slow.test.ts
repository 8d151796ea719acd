import { mkdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { finish, migrate } from '@servicekit/check'
import { application } from '@servicekit/testing/application'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { uilm } from '@servicekit/unplugin/vite'
import type { Browser, Page } from 'playwright-core'
import { build, type PluginOption, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Runs a bundler and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const vueApp = fileURLToPath(
  new URL('../../../fixtures/apps/vite-vue/package.json', import.meta.url),
)

const html = `<!doctype html><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/src/main.js"></script>`

/** Translations of our messages, and of the key that only the other library looks up. */
const texts = {
  'en-US/common': { SAVE: 'Save', LATE: 'Late', BY: '{name}, {0}!', LIST: '{0} and {1}' },
  'de-DE/common': { SAVE: 'Speichern', LATE: 'Spät', BY: '{0}: {name}', LIST: '{1}, {0}' },
  'ar-EG/common': { SAVE: 'حفظ', LATE: 'متأخر', BY: '{name} ({0})', LIST: '{0}' },
}
/** The other library has other codes of the languages. */
const resources = JSON.stringify({
  en: { common: texts['en-US/common'] },
  de: { common: texts['de-DE/common'] },
  ar: { common: texts['ar-EG/common'] },
})

const react = {
  'index.html': html,
  'src/main.js': `import './i18n.js'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Page } from './page.jsx'

createRoot(document.getElementById('app')).render(createElement(Page, { name: 'LATE' }))
`,
  'src/i18n.js': `import i18n from 'i18next'
import { initReactI18next } from 'react-i18next'

const detector = {
  type: 'languageDetector',
  init() {},
  detect: () =>
    new URLSearchParams(location.search).get('lng') ?? localStorage.getItem('i18nextLng') ?? 'en',
  cacheUserLanguage: (code) => localStorage.setItem('i18nextLng', code),
}

void i18n
  .use(detector)
  .use(initReactI18next)
  .init({ resources: ${resources}, fallbackLng: 'en', showSupportNotice: false })
`,
  'src/page.jsx': `import { useTranslation } from 'react-i18next'
import { NewPicker } from './new-picker.jsx'

export function Page({ name }) {
  const { t, i18n } = useTranslation('common')
  return (
    <main>
      <p id="new-text">{t('SAVE')}</p>
      <p id="old-text">{t(name)}</p>
      <select id="old" value={i18n.language} onChange={(event) => i18n.changeLanguage(event.target.value)}>
        <option>en</option><option>de</option><option>ar</option>
      </select>
      <NewPicker />
    </main>
  )
}
`,
  'src/new-picker.jsx': `import { languages } from '~uilm'
import { useLanguage } from '~uilm/react'

export function NewPicker() {
  const [language, setLanguage] = useLanguage()
  return (
    <select id="new" value={language} onChange={(event) => setLanguage(event.target.value)}>
      {languages.map((code) => <option key={code}>{code}</option>)}
    </select>
  )
}
`,
}

const vueOf = (options: string, locale: string) => ({
  'index.html': html,
  'src/main.js': `import { createApp } from 'vue'
import App from './app.vue'
import { i18n } from './i18n.js'

createApp(App).use(i18n).mount('#app')
`,
  'src/i18n.js': `import { createI18n } from 'vue-i18n'

export const i18n = createI18n({
  ${options}
  locale: localStorage.getItem('locale') ?? 'en',
  messages: ${resources.replaceAll('"common":{', '').replaceAll('}}', '}')},
})
`,
  'src/app.vue': `<template>
  <p id="new-text">{{ $t('SAVE') }}</p>
  <p id="old-text">{{ $t(name) }}</p>
  <i18n-t keypath="BY" tag="p" id="element">
    <template #name><b>{{ $t('SAVE') }}</b></template><template #0>{{ name }}</template>
  </i18n-t>
  <i18n-t keypath="LIST" tag="p" id="list"><i>one</i><i>{{ name }}</i></i18n-t>
  <select id="old" :value="$i18n.locale" @change="select">
    <option>en</option><option>de</option><option>ar</option>
  </select>
  <NewPicker />
</template>

<script>
import { i18n } from './i18n.js'
import NewPicker from './new-picker.vue'

export default {
  components: { NewPicker },
  data: () => ({ name: 'LATE' }),
  methods: {
    select(event) {
      ${locale} = event.target.value
      localStorage.setItem('locale', event.target.value)
    },
  },
}
</script>
`,
  'src/new-picker.vue': `<script setup>
import { languages } from '~uilm'
import { useLanguage } from '~uilm/vue'
const language = useLanguage()
</script>
<template>
  <select id="new" v-model="language"><option v-for="code in languages">{{ code }}</option></select>
</template>
`,
})

/** Loads a plugin of Vite from the packages of an application. */
async function pluginOf(from: string, name: string): Promise<PluginOption> {
  const file = createRequire(from).resolve(name)
  const { default: plugin } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    default: () => PluginOption
  }
  return plugin()
}

describe.skipIf(isBrowserMissing())('a migrated application with both libraries', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const vue = vueOf('legacy: false,', 'i18n.global.locale.value')
  it.each([
    ['react-i18next', react, 'i18nextLng', undefined],
    ['react-i18next and one storage key', react, 'i18nextLng', 'i18nextLng'],
    ['vue-i18n', vue, 'locale', undefined],
    ['vue-i18n and one storage key', vue, 'locale', 'locale'],
    ['vue-i18n with its legacy API', vueOf('', 'i18n.global.locale'), 'locale', undefined],
  ])(
    'has one language with %s, selected in either picker',
    async (name, code, oldKey, storageKey) => {
      const isReact = code === react
      const syntax = isReact ? 'double-brace' : 'vue-i18n'
      const options = { syntax, ...(storageKey !== undefined && { storageKey }) } as const
      const { root, project } = await application(texts, code, options)
      await symlink(packages, join(root, 'node_modules'))
      const report = await finish(migrate({ project, sources: ['src'], write: true }))
      expect(report.calls).toBe(isReact ? 1 : 4)
      expect(report.storedLanguage).toEqual({ key: oldKey, file: 'src/i18n.js' })
      await mkdir(join(root, 'dist'))
      const plugin = isReact
        ? await pluginOf(join(packages, 'x.js'), '@vitejs/plugin-react')
        : await pluginOf(vueApp, '@vitejs/plugin-vue')
      const config = { root, configFile: false, logLevel: 'silent' } as const
      await build({ ...config, plugins: [plugin, uilm({ root, ...options })] })
      const server = await preview({ ...config, preview: { port: 0, host: '127.0.0.1' } })
      const url = server.resolvedUrls!.local[0]!

      /** Waits until both libraries show a language. */
      const shows = async (tab: Page, language: keyof typeof languages) => {
        const [newText, oldText, newCode, oldCode] = languages[language]
        await tab.waitForSelector(`#old-text:text-is("${oldText}")`)
        await tab.waitForSelector(`#new-text:text-is("${newText}")`)
        const html = await tab.locator('#element, #list').evaluateAll(innerHtmlOf)
        expect(html.map(withoutComments)).toEqual(isReact ? [] : elements[language])
        expect(await tab.inputValue('#new')).toBe(newCode)
        expect(await tab.inputValue('#old')).toBe(oldCode)
        expect(await tab.getAttribute('html', 'lang')).toBe(newCode)
      }
      const errors: string[] = []
      const open = async () => {
        const context = await browser.newContext({ locale: 'en-US' })
        const tab = await context.newPage()
        tab.on('pageerror', (error) => void errors.push(String(error)))
        await tab.goto(url)
        return tab
      }
      const tab = await open()
      await shows(tab, 'english')
      await tab.selectOption('#old', 'de')
      await shows(tab, 'german')
      await tab.reload()
      await shows(tab, 'german')
      await tab.selectOption('#new', 'ar-EG')
      await shows(tab, 'arabic')
      await tab.reload()
      await shows(tab, 'arabic')
      await tab.selectOption('#old', 'en')
      await shows(tab, 'english')
      const stored = (await tab.evaluate('Object.keys(localStorage)')) as string[]
      expect(stored.sort()).toEqual([...new Set([oldKey, storageKey ?? 'uilm-language'])].sort())
      if (isReact && storageKey !== undefined) {
        // The detector prefers the address, and stores it.
        await tab.goto(`${url}?lng=de`)
        await shows(tab, 'german')
      }

      // A visitor who selected a language before the migration.
      const earlier = await open()
      await earlier.evaluate(`localStorage.clear(); localStorage.setItem('${oldKey}', 'de')`)
      await earlier.reload()
      await shows(earlier, 'german')
      await earlier.reload()
      await shows(earlier, 'german')
      expect(errors).toEqual([])
      await server.close()
    },
  )
})

/** Output of `<i18n-t>` before the migration. */
const elements = {
  english: ['<b>Save</b>, LATE!', '<i>one</i> and <i>LATE</i>'],
  german: ['LATE: <b>Speichern</b>', '<i>LATE</i>, <i>one</i>'],
  arabic: ['<b>حفظ</b> (LATE)', '<i>one</i>'],
} as const

const innerHtmlOf = (all: readonly { readonly innerHTML: string }[]): readonly string[] =>
  all.map(({ innerHTML }) => innerHTML)
const withoutComments = (html: string): string => html.replaceAll(/<!--.*?-->/g, '')

const languages = {
  english: ['Save', 'Late', 'en-US', 'en'],
  german: ['Speichern', 'Spät', 'de-DE', 'de'],
  arabic: ['حفظ', 'متأخر', 'ar-EG', 'ar'],
} as const
