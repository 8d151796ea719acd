import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { openProject } from '@servicekit/catalog'

/** @typedef {import('./generate-catalog.mjs').GeneratedCatalog} GeneratedCatalog */

/**
 * Returns a source that serves a generated catalog.
 *
 * @param {GeneratedCatalog} catalog
 * @returns {import('@servicekit/catalog').Source}
 */
function sourceOf(catalog) {
  return {
    name: 'generated catalog',
    list: async () => ({
      languages: catalog.languages.map((code, index) => ({
        code,
        name: code,
        isDefault: index === 0,
      })),
      modules: catalog.modules,
    }),
    read: async ({ language, module }) => ({
      status: 'ok',
      etag: undefined,
      raw: Object.fromEntries(
        catalog.messages
          .filter((message) => message.module === module)
          .map(({ key, translations }) => [key, translations[language]]),
      ),
    }),
  }
}

/**
 * Writes the committed snapshot that a build reads.
 *
 * @param {string} root
 * @param {GeneratedCatalog} catalog
 */
export async function writeSnapshot(root, catalog) {
  await openProject(
    { root, requestsPerMinute: Infinity },
    { environment: {}, source: sourceOf(catalog) },
  ).pull()
}

/**
 * Writes the project that Paraglide compiles: one JSON file per language, and its settings.
 * They refer to its plugin by a local path, so that nothing is fetched from a CDN.
 *
 * @param {string} root
 * @param {GeneratedCatalog} catalog
 * @returns {Promise<string>} path of the project's folder
 */
export async function writeInlangProject(root, catalog) {
  const project = join(root, 'project.inlang')
  const plugin = createRequire(import.meta.url).resolve('@inlang/plugin-message-format')
  await writeJson(join(project, 'settings.json'), {
    baseLocale: catalog.languages[0],
    locales: catalog.languages,
    modules: [plugin],
    telemetry: 'off',
    'plugin.inlang.messageFormat': { pathPattern: './messages/{locale}.json' },
  })
  for (const language of catalog.languages) {
    await writeJson(
      join(root, 'messages', `${language}.json`),
      singleBraceTranslations(catalog, language),
    )
  }
  return project
}

/** @param {GeneratedCatalog} catalog @param {string} language */
const singleBraceTranslations = (catalog, language) =>
  Object.fromEntries(
    Object.entries(translationsOf(catalog, language)).map(([key, text]) => [
      key,
      text.replaceAll('{{', '{').replaceAll('}}', '}'),
    ]),
  )

/**
 * Writes the files that i18next loads: one JSON file per language with all keys.
 *
 * @param {string} folder
 * @param {GeneratedCatalog} catalog
 */
export async function writeI18next(folder, catalog) {
  for (const language of catalog.languages) {
    await writeJson(join(folder, `${language}.json`), translationsOf(catalog, language))
  }
}

/**
 * Returns the translations of all modules by key.
 *
 * @param {GeneratedCatalog} catalog
 * @param {string} language
 */
const translationsOf = (catalog, language) =>
  Object.fromEntries(
    catalog.messages.map(({ key, translations }) => [key, translations[language] ?? '']),
  )

/** @param {string} file @param {unknown} value */
async function writeJson(file, value) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
}
