import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { writeLlms } from '../generate/llms.mjs'
import { slugify } from './slugify.mjs'

const docs = join(import.meta.dirname, '..')

/** Pages in the order of the sidebar. The pages of a folder are sorted by title. */
const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Introduction',
    items: [
      pageOf('index.md'),
      pageOf('getting-started.md'),
      pageOf('playground.md'),
      pageOf('comparison.md'),
    ],
  },
  { text: 'Guides', items: pagesOf('guides') },
  { text: 'Frameworks and tools', items: pagesOf('frameworks') },
  { text: 'Local platform', items: pagesOf('platform') },
  { text: 'Operations', items: pagesOf('operations') },
  { text: 'Reference', items: referencePages() },
]

/** Folder of Paraglide's compiler, with which the playground compares. */
const paraglide = dirname(createRequire(import.meta.url).resolve('@inlang/paraglide-js'))

export default defineConfig({
  title: 'Servicekit',
  description: 'Typed messages, typed data access and a local platform.',
  lang: 'en-US',
  // Without an icon, browsers ask for /favicon.ico outside of the base path.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // For contributors; their links lead to sources.
  srcExclude: ['architecture.md', 'dependencies.md'],
  outDir: '.vitepress/dist',
  cleanUrls: false,
  vite: {
    // The index of the local search is one chunk, and so is the editor of the playground.
    build: { chunkSizeWarningLimit: 8000 },
    resolve: {
      alias: { 'paraglide/compile-bundle.js': join(paraglide, 'compiler/compile-bundle.js') },
    },
    // It loads a file beside itself.
    optimizeDeps: { exclude: ['@rollup/browser'] },
    worker: { format: 'es' },
  },
  lastUpdated: false,
  markdown: {
    languageAlias: { mjs: 'js' },
    anchor: { slugify },
    config(md) {
      // Vue must not evaluate `{{name}}`.
      const render = md.renderer.rules.code_inline!
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index]!.attrSet('v-pre', '')
        return render(tokens, index, ...rest)
      }
    },
  },
  buildEnd({ outDir }) {
    writeLlms(outDir, pathsOf(sidebar))
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // The words of a question that every page has.
          options: {
            processTerm: (term) =>
              /^(?:an?|and|as|at|by|do|for|how|i|in|is|it|of|on|or|the|to|with)$/i.test(term)
                ? null
                : term.toLowerCase(),
          },
        },
      },
    },
    sidebar,
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Playground', link: '/playground' },
      { text: 'Guides', link: '/guides/keys', activeMatch: '^/guides/(?!troubleshooting)' },
      { text: 'Frameworks', link: '/frameworks/vite', activeMatch: '^/frameworks/' },
      { text: 'Reference', link: '/reference/config', activeMatch: '^/(?:reference/|interface)' },
      { text: 'Troubleshooting', link: '/guides/troubleshooting' },
    ],
    outline: [2, 3],
  },
})

/** Returns the pages that `generate/write-reference.mjs` writes, and the specification. */
function referencePages(): DefaultTheme.SidebarItem[] {
  const client = pagesOf('reference/client').map(({ text = '', link = '' }) => ({
    text: text.replace(/^@servicekit\/client\//, ''),
    link,
  }))
  return [
    pageOf('reference/config.md'),
    pageOf('reference/cli.md'),
    { text: 'Client', collapsed: true, items: client },
    pageOf('reference/platform.md'),
    pageOf('reference/server.md'),
    pageOf('reference/http.md'),
    pageOf('reference/control.md'),
    pageOf('interface.md'),
  ]
}

/** Returns the pages of a folder: those with `order` in their first lines first. */
function pagesOf(folder: string): DefaultTheme.SidebarItem[] {
  return readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ ...pageOf(`${folder}/${name}`), order: orderOf(`${folder}/${name}`) }))
    .sort((a, b) => a.order - b.order || (a.text ?? '').localeCompare(b.text ?? '', 'en'))
    .map(({ text, link }) => ({ text, link }))
}

function pageOf(path: string): { text: string; link: string } {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(docs, path), 'utf8')) ?? []
  if (title === undefined) throw new Error(`${path} has no title`)
  const link = `/${path.replace(/\.md$/, '')}`
  // The page of the site itself has no name in its address.
  return { text: title.replaceAll('`', ''), link: link === '/index' ? '/' : link }
}

function orderOf(path: string): number {
  const [, order] = /^---\norder: (\d+)\n---/.exec(readFileSync(join(docs, path), 'utf8')) ?? []
  return Number(order ?? 1000)
}

/** Returns the files of all pages in the order of the sidebar. */
function pathsOf(items: readonly DefaultTheme.SidebarItem[]): string[] {
  return items.flatMap(({ link, items: inner = [] }) => [
    ...(link === undefined ? [] : [`${link.slice(1) || 'index'}.md`]),
    ...pathsOf(inner),
  ])
}
