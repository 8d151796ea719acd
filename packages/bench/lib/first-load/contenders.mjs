import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeI18next, writeInlangProject, writeSnapshot } from '../projects.mjs'
import { bundle } from '../vite.mjs'
import { writeApp } from './app.mjs'

/**
 * Contender: writes its application and its messages to `root` and builds it to `dist`.
 *
 * @typedef {(root: string, texts: import('../texts.mjs').GeneratedTexts, pages: import('./app.mjs').Pages) => Promise<void>} BuildApp
 */

/** Writes sources and messages of our application, for any bundler. @type {BuildApp} */
export async function writeServicekit(root, texts, pages) {
  await writeSnapshot(root, texts)
  await writeApp(root, pages, {
    imports: (shown) =>
      texts.modules
        .map((name) => {
          const keys = shown.filter(({ module }) => module === name).map(({ key }) => key)
          return keys.length === 0 ? '' : `import { ${keys.join(', ')} } from '~uilm/${name}'\n`
        })
        .join(''),
    call: ({ key }, args) => `${key}(${args})`,
  })
}

/** @type {BuildApp} */
export async function buildServicekit(root, texts, pages) {
  const { uilm } = await import('@servicekit/unplugin/vite')
  await writeServicekit(root, texts, pages)
  await bundle(root, { plugins: [uilm({ root, frozen: true })] })
}

/** @type {BuildApp} */
export async function buildParaglide(root, texts, pages) {
  const { paraglideVitePlugin } = await import('@inlang/paraglide-js')
  const project = await writeInlangProject(root, texts)
  await writeApp(root, pages, {
    imports: () => `import { m } from './paraglide/messages.js'`,
    call: ({ key }, args) => `m.${key}(${args})`,
  })
  const outdir = join(root, 'src', 'paraglide')
  await bundle(root, {
    plugins: [paraglideVitePlugin({ project, outdir, outputStructure: 'message-modules' })],
  })
}

/**
 * Builds with one JSON file per language, fetched when the language is known. Uses only the
 * required part of the library: no detector, framework or backend package.
 *
 * @type {BuildApp}
 */
export async function buildI18next(root, texts, pages) {
  await writeI18next(join(root, 'public', 'locales'), texts)
  await writeApp(root, pages, {
    imports: () => `import { t } from './i18n.js'`,
    call: ({ key }, args) => `t('${key}'${args && `, ${args}`})`,
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
  lng: '${texts.languages[0]}',
  load: 'currentOnly',
  fallbackLng: false,
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
})
export const t = i18next.t
`,
  )
  const i18next = fileURLToPath(import.meta.resolve('i18next'))
  await bundle(root, { resolve: { alias: { i18next } } })
}

/**
 * Builds the same application with an empty function in place of every message. The bundler
 * cannot see that it is empty; it is called as often, with the same arguments.
 *
 * @type {BuildApp}
 */
export async function buildNothing(root, texts, pages) {
  await writeNothing(root, texts, pages)
  await bundle(root)
}

/** @type {BuildApp} */
export async function writeNothing(root, _texts, pages) {
  await writeApp(root, pages, {
    imports: () => `import { nothing } from './nothing.js'`,
    call: (_, args) => `nothing(${args})`,
  })
  await writeFile(join(root, 'src', 'nothing.js'), 'export const nothing = globalThis.nothing\n')
}
