import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { openProject } from '@servicekit/catalog'

/** @typedef {import('./texts.mjs').GeneratedTexts} GeneratedTexts */

/**
 * Converts generated messages to the source of a project.
 *
 * @param {GeneratedTexts} texts
 * @returns {import('@servicekit/catalog').Source}
 */
function sourceOf(texts) {
  return {
    name: 'generated texts',
    list: async () => ({
      languages: texts.languages.map((code, index) => ({
        code,
        name: code,
        isDefault: index === 0,
      })),
      modules: texts.modules,
    }),
    read: async ({ language, module }) => ({
      status: 'ok',
      etag: undefined,
      raw: Object.fromEntries(
        texts.keys
          .filter((key) => key.module === module)
          .map(({ key, texts }) => [key, texts[language]]),
      ),
    }),
  }
}

/**
 * Writes the committed snapshot that a build reads.
 *
 * @param {string} root
 * @param {GeneratedTexts} texts
 */
export async function writeSnapshot(root, texts) {
  await openProject(
    { root, requestsPerMinute: Infinity },
    { environment: {}, source: sourceOf(texts) },
  ).pull()
}

/**
 * Writes the project that Paraglide compiles: one JSON file per language, and its settings.
 * They refer to its plugin by a local path, so that nothing is fetched from a CDN.
 *
 * @param {string} root
 * @param {GeneratedTexts} texts
 * @returns {Promise<string>} path of the project's folder
 */
export async function writeInlangProject(root, texts) {
  const project = join(root, 'project.inlang')
  const plugin = createRequire(import.meta.url).resolve('@inlang/plugin-message-format')
  await writeJson(join(project, 'settings.json'), {
    baseLocale: texts.languages[0],
    locales: texts.languages,
    modules: [plugin],
    telemetry: 'off',
    'plugin.inlang.messageFormat': { pathPattern: './messages/{locale}.json' },
  })
  for (const language of texts.languages) {
    await writeJson(join(root, 'messages', `${language}.json`), singleBraced(texts, language))
  }
  return project
}

/** @param {GeneratedTexts} texts @param {string} language */
const singleBraced = (texts, language) =>
  Object.fromEntries(
    Object.entries(flat(texts, language)).map(([key, text]) => [
      key,
      text.replaceAll('{{', '{').replaceAll('}}', '}'),
    ]),
  )

/**
 * Writes the files that i18next loads: one JSON file per language with all keys.
 *
 * @param {string} folder
 * @param {GeneratedTexts} texts
 */
export async function writeI18next(folder, texts) {
  for (const language of texts.languages) {
    await writeJson(join(folder, `${language}.json`), flat(texts, language))
  }
}

/**
 * Returns the translations of all modules by key.
 *
 * @param {GeneratedTexts} texts
 * @param {string} language
 */
const flat = (texts, language) =>
  Object.fromEntries(texts.keys.map(({ key, texts }) => [key, texts[language] ?? '']))

/** @param {string} file @param {unknown} value */
async function writeJson(file, value) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
}
