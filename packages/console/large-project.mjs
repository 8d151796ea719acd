import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const codes = [
  'en-US',
  'de-DE',
  'fr-FR',
  'ar-EG',
  'ja-JP',
  'es-ES',
  'it-IT',
  'pt-PT',
  'nl-NL',
  'pl-PL',
]

/**
 * Writes a project folder, with ten languages if there are keys.
 *
 * @param {string} parent
 * @param {string} key
 * @param {number} keys
 */
export function writeProject(parent, key, keys) {
  const folder = join(parent, key)
  const write = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    writeFileSync(join(folder, name), JSON.stringify(value))
  mkdirSync(folder, { recursive: true })
  write('project.json', { projectKey: key, name: key, organizationId: key, fallback: 'en-US' })
  const languages = keys === 0 ? [] : codes
  const item = (/** @type {string} */ languageCode) => ({
    itemId: languageCode,
    languageCode,
    languageName: new Intl.DisplayNames('en', { type: 'language' }).of(languageCode),
    isDefault: languageCode === 'en-US',
  })
  write('languages.json', languages.map(item))
  const modules = keys === 0 ? [] : ['app', 'shop', 'account', 'help']
  write(
    'modules.json',
    modules.map((moduleName) => ({ itemId: moduleName, moduleName })),
  )
  for (const code of languages) {
    mkdirSync(join(folder, 'uilm', code), { recursive: true })
    for (const module of modules) {
      const count = keys / modules.length
      const entries = Array.from({ length: count }, (_, index) => [
        `${module.toUpperCase()}_MESSAGE_${String(index).padStart(5, '0')}`,
        `${code} message {{name}} number ${index}`,
      ])
      write(`uilm/${code}/${module}.json`, Object.fromEntries(entries))
    }
  }
  return folder
}
