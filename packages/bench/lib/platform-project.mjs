import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes a project folder of the platform.
 *
 * @param {string} folder
 * @param {object} project
 * @param {string} project.projectKey
 * @param {readonly string[]} project.languages the default first
 * @param {readonly string[]} project.modules
 * @param {(language: string, module: string) => Readonly<Record<string, string | undefined>>} project.translationsOf
 */
export function writePlatformProject(folder, { projectKey, languages, modules, translationsOf }) {
  /** @param {string} path @param {unknown} value */
  const write = (path, value) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(value, null, 2))
  }
  write('project.json', {
    name: 'bench',
    projectKey,
    organizationId: 'org',
    fallback: languages[0],
  })
  write(
    'languages.json',
    languages.map((code, index) => ({
      itemId: idOf(1, index),
      languageName: code,
      languageCode: code,
      isDefault: index === 0,
      projectKey,
    })),
  )
  write(
    'modules.json',
    modules.map((moduleName, index) => ({ itemId: idOf(2, index), moduleName })),
  )
  for (const language of languages) {
    for (const module of modules) {
      write(`uilm/${language}/${module}.json`, translationsOf(language, module))
    }
  }
}

/** Returns a UUID. @param {number} kind @param {number} index */
const idOf = (kind, index) => `00000000-0000-5000-a000-${kind}${String(index).padStart(11, '0')}`
