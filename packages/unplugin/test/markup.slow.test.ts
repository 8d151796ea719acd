import { cp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { runtimeFile } from '@servicekit/catalog'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import { transform } from 'esbuild'
import { createInstance } from 'i18next'
import type { Browser } from 'playwright-core'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider, initReactI18next, Trans } from 'react-i18next'
import { createTranslator } from 'use-intl/core'
import { build, type PluginOption } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { bundlers } from './bundlers.ts'
import { elements, messages, simpleNames, values } from './markup-messages.ts'
import { writeApp } from './project.ts'
import { serveFolder } from './storefront.ts'

// Runs a bundler and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Webpack, which takes long, is like Rspack. */

const apps = fileURLToPath(new URL('../../../fixtures/apps', import.meta.url))

const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="./main.js"></script>`
const list = Object.entries(elements)

/** Applications that show every message in a paragraph with its name. */
const frameworks = {
  react: {
    plugin: '@vitejs/plugin-react',
    name: 'default',
    files: {
      'main.js': `import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { messages } from '~uilm/m/messages'
const args = { ...${JSON.stringify(values)}, ${list.map(([tag, element]) => `${tag}: (children) => h('${element}', null, children)`).join(', ')} }
createRoot(document.getElementById('app')).render(Object.keys(messages).map((name) => h('p', { key: name, id: name }, messages[name](args))))
`,
    },
  },
  vue: {
    plugin: '@vitejs/plugin-vue',
    name: 'default',
    files: {
      'main.js': `import { createApp } from 'vue'
import App from './App.vue'
createApp(App).mount('#app')
`,
      'App.vue': `<script setup>
import { messages } from '~uilm/m/messages'
import { Markup } from '~uilm/vue'
const args = ${JSON.stringify(values)}
</script>
<template>
  <p v-for="(message, name) in messages" :id="name" :key="name"><Markup :message="message" :args="args">${list.map(([tag, element]) => `<template #${tag}="{ children }"><${element}><component :is="children" /></${element}></template>`).join('')}</Markup></p>
</template>
`,
    },
  },
  svelte: {
    plugin: '@sveltejs/vite-plugin-svelte',
    name: 'svelte',
    files: {
      'main.js': `import { mount } from 'svelte'
import App from './App.svelte'
mount(App, { target: document.getElementById('app') })
`,
      'App.svelte': `<script>
import { messages } from '~uilm/m/messages'
import Markup from './Markup.svelte'
const args = ${JSON.stringify(values)}
</script>
{#each Object.entries(messages) as [name, message]}<p id={name}><Markup {message} {args}>${list.map(([tag, element]) => `{#snippet ${tag}(children)}<${element}>{@render children()}</${element}>{/snippet}`).join('')}</Markup></p>{/each}
`,
    },
  },
  solid: {
    plugin: 'vite-plugin-solid',
    name: 'default',
    files: {
      'main.js': `import './main.jsx'\n`,
      'main.jsx': `import { render } from 'solid-js/web'
import { For } from 'solid-js'
import { messages } from '~uilm/m/messages'
const args = { ...${JSON.stringify(values)}, ${list.map(([tag, element]) => `${tag}: (children) => <${element}>{children}</${element}>`).join(', ')} }
render(() => <For each={Object.keys(messages)}>{(name) => <p id={name}>{messages[name](args)}</p>}</For>, document.getElementById('app'))
`,
    },
  },
} as const

type Framework = keyof typeof frameworks

/** Loads a plugin as resolved from the application. */
async function pluginOf(app: string, { plugin, name }: { plugin: string; name: string }) {
  const file = createRequire(join(app, 'package.json')).resolve(plugin)
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<
    string,
    (options?: object) => PluginOption
  >
  return module[name]!({})
}

const htmlOf = (node: ReactNode): string => renderToStaticMarkup(createElement('p', null, node))

/** HTML of a message in next-intl, whose formatting is that of use-intl. */
function shownByNextIntl(name: string): string {
  const t = createTranslator({ locale: 'en-US', messages }) as unknown as {
    rich: (key: string, values: object) => ReactNode
  }
  const tags = list.map(([tag, element]) => [
    tag,
    (children: ReactNode) => createElement(element, null, children),
  ])
  return htmlOf(t.rich(name, { ...values, ...Object.fromEntries(tags) }))
}

/** For i18next, `link` is the element of HTML, which has no content. */
const i18nextTag = (tag: string): string => (tag === 'link' ? 'anchor' : tag)

/** HTML of a message in react-i18next. */
function shownByI18next(name: string): string {
  const text = messages[name]!.replaceAll(/\{(\w+)\}/g, '{{$1}}').replaceAll(
    /(?<=<\/?)\w+(?=>)/g,
    i18nextTag,
  )
  const i18n = createInstance()
  void i18n.use(initReactI18next).init({
    lng: 'en-US',
    initAsync: false,
    interpolation: { escapeValue: false },
    resources: {
      'en-US': { translation: { [name]: text } },
    },
  })
  const components = Object.fromEntries(
    list.map(([tag, element]) => [i18nextTag(tag), createElement(element)]),
  )
  return htmlOf(
    createElement(
      I18nextProvider,
      { i18n } as never,
      createElement(
        Trans as never,
        { i18n, i18nKey: name, values, components, shouldUnescape: false } as never,
      ),
    ),
  )
}

describe.skipIf(isBrowserMissing())('messages with tags', () => {
  let browser: Browser
  const copies: string[] = []
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true })))
  })

  /** Builds an application, and returns the HTML of each message in the browser. */
  async function show(framework: Framework): Promise<Record<string, string>> {
    const { files, ...plugin } = frameworks[framework]
    const app = join(apps, `vite-${framework}`)
    // Inside the application, so that its packages are resolved.
    const root = join(app, '.servicekit/markup')
    copies.push(root)
    await rm(root, { recursive: true, force: true })
    await writeApp(root, {
      'index.html': page,
      ...files,
      'translations/en-US/m.json': JSON.stringify(messages),
    })
    if (framework === 'svelte') {
      await cp(new URL('../runtime/Markup.svelte', import.meta.url), join(root, 'Markup.svelte'))
    }
    await build({
      root,
      base: './',
      configFile: false,
      logLevel: 'silent',
      plugins: [
        await pluginOf(app, plugin),
        uilm({ root, from: 'translations', syntax: 'icu', markup: framework }),
      ],
      build: { target: 'esnext', minify: false },
    })
    const site = await serveFolder(join(root, 'dist'))
    const tab = await browser.newPage()
    const errors: string[] = []
    tab.on('pageerror', (error) => void errors.push(String(error)))
    // Such as the warning of React about elements without keys.
    tab.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) errors.push(message.text())
    })
    await tab.goto(site.url)
    await tab.waitForSelector('#TERMS')
    const shown = await tab.$$eval('p', (all) =>
      all.map(
        ({ id, innerHTML }) => [id, `<p>${innerHTML.replaceAll(/<!--.*?-->/g, '')}</p>`] as const,
      ),
    )
    await tab.close()
    await site.close()
    expect(errors).toEqual([])
    return Object.fromEntries(shown)
  }

  /** Returns the same HTML as the browser prints it, with its own entities and quotes. */
  async function printed(html: readonly string[]): Promise<readonly string[]> {
    const tab = await browser.newPage()
    await tab.setContent(html.join(''))
    const shown = await tab.$$eval('p', (all) => all.map(({ innerHTML }) => `<p>${innerHTML}</p>`))
    await tab.close()
    return shown
  }

  let byNextIntl: Readonly<Record<string, string>>
  let byI18next: Readonly<Record<string, string>>
  beforeAll(async () => {
    const names = Object.keys(messages)
    const all = await printed([...names.map(shownByNextIntl), ...simpleNames.map(shownByI18next)])
    byNextIntl = Object.fromEntries(names.map((name, index) => [name, all[index]!]))
    byI18next = Object.fromEntries(
      simpleNames.map((name, index) => [name, all[names.length + index]!]),
    )
  })

  it.each(Object.keys(frameworks) as Framework[])(
    'are the same elements in %s as in next-intl and react-i18next',
    async (framework) => {
      const shown = await show(framework)
      expect(shown).toEqual(byNextIntl)
      expect(shown).toMatchObject(byI18next)
    },
  )

  // Rollup and Rolldown need plugins for React.
  it.each(
    isDeep
      ? (['vite', 'webpack', 'rspack', 'esbuild'] as const)
      : (['vite', 'rspack', 'esbuild'] as const),
  )('are one node of React, built by %s', async (bundler) => {
    const root = join(apps, 'vite-react/.servicekit', bundler)
    copies.push(root)
    await rm(root, { recursive: true, force: true })
    await writeApp(root, {
      'translations/en-US/m.json': JSON.stringify({
        TERMS: 'The <link>{{name}}</link>.',
        A: 'a',
      }),
      'translations/de-DE/m.json': JSON.stringify({ TERMS: 'Die <link>{{name}}</link>.' }),
      'src/main.js': `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { TERMS } from '~uilm/m'
const link = (children) => createElement('a', null, children)
createRoot(document.body).render(createElement('p', null, TERMS({ name: 'terms', link })))
`,
    })
    await bundlers[bundler](root, { from: 'translations', markup: 'react' })
    // Vite empties the folder.
    await writeApp(root, { 'dist/index.html': page })
    const site = await serveFolder(join(root, 'dist'))
    const tab = await browser.newPage({ locale: 'de-DE' })
    await tab.goto(site.url)
    await tab.waitForSelector('p')
    expect(await tab.innerHTML('p')).toBe('Die <a>terms</a>.')
    await tab.close()
    await site.close()
  })
})

describe('messages without tags', () => {
  it('load no code for tags', async () => {
    const root = join(apps, 'vite-react/.servicekit/no-markup')
    await writeApp(root, {
      'translations/en-US/m.json': JSON.stringify({ TERMS: 'The <link>terms</link>', A: '{{a}}' }),
      'src/main.js': `import { A } from '~uilm/m'\nglobalThis.show = () => A({ a: 1 })\n`,
    })
    const sizes: number[] = []
    for (const options of [{}, { markup: 'react' }] as const) {
      await bundlers.esbuild(root, { from: 'translations', ...options })
      sizes.push((await readFile(join(root, 'dist/main.js'))).length)
    }
    await rm(root, { recursive: true, force: true })
    expect(sizes[1]).toBe(sizes[0])
  })
})

describe('the code for tags in React', () => {
  it('has at most 250 bytes, minified and compressed', async () => {
    const { code } = await transform(runtimeFile('react-markup'), { minify: true, format: 'esm' })
    expect(gzipSync(code).length).toBeLessThanOrEqual(250)
  })
})
