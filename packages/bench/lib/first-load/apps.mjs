import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeI18next, writeInlangProject, writeSnapshot } from '../projects.mjs'
import { buildWithVite } from '../build-with-vite.mjs'
import { writeApp } from './app.mjs'
import { bundlers } from './bundlers.mjs'

/**
 * Application of a contender: `write` writes its sources and messages to `root`, `build`
 * builds `dist/main.js` from them.
 *
 * @typedef {object} App
 * @property {(root: string, catalog: import('../generate-catalog.mjs').GeneratedCatalog, pages: import('./app.mjs').Pages) => Promise<void>} write
 * @property {(root: string) => Promise<void>} build
 */

/**
 * Our application, built by any bundler.
 *
 * @param {import('./bundlers.mjs').Bundle} bundle
 * @returns {App}
 */
export const servicekitApp = (bundle) => ({
  async write(root, catalog, pages) {
    await writeSnapshot(root, catalog)
    await writeApp(root, pages, {
      imports: (shown) =>
        catalog.modules
          .map((name) => {
            const keys = shown.filter(({ module }) => module === name).map(({ key }) => key)
            return keys.length === 0 ? '' : `import { ${keys.join(', ')} } from '~uilm/${name}'\n`
          })
          .join(''),
      call: ({ key }, argument) => `${key}(${argument})`,
    })
  },
  build: (root) => bundle(root, { usesPlugin: true }),
})

/** @type {App} */
export const paraglideApp = {
  async write(root, catalog, pages) {
    await writeInlangProject(root, catalog)
    await writeApp(root, pages, {
      imports: () => `import { m } from './paraglide/messages.js'`,
      call: ({ key }, argument) => `m.${key}(${argument})`,
    })
  },
  async build(root) {
    const { paraglideVitePlugin } = await import('@inlang/paraglide-js')
    const plugin = paraglideVitePlugin({
      project: join(root, 'project.inlang'),
      outdir: join(root, 'src', 'paraglide'),
      outputStructure: 'message-modules',
    })
    await buildWithVite(root, { plugins: [plugin] })
  },
}

/**
 * Fetches one JSON file per language when the language is known. Uses only the required
 * part of the library: no detector, framework or backend package.
 *
 * @type {App}
 */
export const i18nextApp = {
  async write(root, catalog, pages) {
    await writeI18next(join(root, 'public', 'locales'), catalog)
    await writeApp(root, pages, {
      imports: () => `import { t } from './i18n.js'`,
      call: ({ key }, argument) => `t('${key}'${argument && `, ${argument}`})`,
    })
    await writeFile(
      join(root, 'src', 'i18n.js'),
      `import i18next from 'i18next'
const backend = {
  type: 'backend',
  read: (language, namespace, done) =>
    fetch(\`\${import.meta.env.BASE_URL}locales/\${language}.json\`)
      .then((response) => response.json())
      .then((texts) => done(null, texts), done),
}
await i18next.use(backend).init({
  lng: '${catalog.languages[0]}',
  load: 'currentOnly',
  fallbackLng: false,
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
})
export const t = i18next.t
`,
    )
  },
  build(root) {
    const i18next = fileURLToPath(import.meta.resolve('i18next'))
    return buildWithVite(root, { resolve: { alias: { i18next } } })
  },
}

/**
 * The same application with an empty function instead of every message. The bundler cannot
 * see that it is empty; it is called as often, with the same arguments.
 *
 * @param {import('./bundlers.mjs').Bundle} [bundle]
 * @returns {App}
 */
export const emptyApp = (bundle = bundlers.vite) => ({
  async write(root, _catalog, pages) {
    await writeApp(root, pages, {
      imports: () => `import { nothing } from './nothing.js'`,
      call: (_, argument) => `nothing(${argument})`,
    })
    await writeFile(join(root, 'src', 'nothing.js'), 'export const nothing = globalThis.nothing\n')
  },
  build: (root) => bundle(root, { usesPlugin: false }),
})
