import { join, relative } from 'node:path'
import {
  type DetectedFolder,
  detectFolder,
  type FolderOptions,
  usualFolders,
} from '@servicekit/catalog'
import { ConfigError } from '@servicekit/client'
import { escapeInvisible, formatCount } from '@servicekit/core'
import { isKnownError } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { namesIn, type ProjectFacts } from './project-facts.ts'

/** Codes of names that are no languages; `false` ignores the files of a name. */
type LanguageNames = Readonly<Record<string, string | false>>

/**
 * Parses `zhtw=zh-TW,klingon=`: names and their language codes. A name without a code is ignored.
 *
 * @throws ConfigError
 */
export function parseLanguageNames(text: string | undefined): LanguageNames {
  const pairs = (text ?? '')
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
  return Object.fromEntries(
    pairs.map((pair): readonly [string, string | false] => {
      const [name = '', code, ...rest] = pair.split('=').map((part) => part.trim())
      if (name !== '' && code !== undefined && rest.length === 0) return [name, code || false]
      throw new ConfigError(`--languages must be a list of NAME=CODE (received "${pair}")`, {
        help: 'Example: --languages zhtw=zh-TW,klingon= (a name without a code is ignored).',
      })
    }),
  )
}

/** Finds the usual folders of an application that contain translation files. */
export function findOwnFolders({ root }: ProjectFacts): readonly string[] {
  const found = usualFolders.filter((folder) => {
    if (namesIn(join(root, folder)).length === 0) return false
    try {
      detectFolder(join(root, folder))
      return true
    } catch (error) {
      // Another folder with this name, or one with a mistake, which is named when it is chosen.
      if (isKnownError(error)) return error.code === 'CATALOG_INVALID'
      throw error
    }
  })
  // `i18n` is not offered beside `i18n/locales`.
  return found.filter((one) => found.every((other) => !other.startsWith(`${one}/`)))
}

/**
 * Detects the translation files of a folder, and asks for the languages of names that are none.
 *
 * @param folder Path relative to the application.
 * @throws ConfigError if the folder has no translation files, or without a user if names are no
 * languages.
 */
export async function detectOwnFolder(
  folder: string,
  {
    facts,
    languages,
    io,
  }: { readonly facts: ProjectFacts; readonly languages: LanguageNames; readonly io: Io },
): Promise<DetectedFolder> {
  const path = join(facts.root, folder)
  const dependencies = Object.keys(facts.dependencies)
  const detect = (names: LanguageNames) => detectFolder(path, { languages: names, dependencies })
  const first = detect(languages)
  if (!('unknown' in first)) return first
  if (!io.prompts) throw unknownLanguages(folder, first.unknown)
  const answers: Record<string, string | false> = { ...languages }
  for (const { name, suggestion } of first.unknown) {
    const question = `${folder}: the language code of "${escapeInvisible(name)}" (- to ignore its files)`
    const answer = (await io.prompts.text(question, suggestion)).trim()
    answers[name] = answer === '-' ? false : answer
  }
  const second = detect(answers)
  if ('unknown' in second) throw unknownLanguages(folder, second.unknown)
  return second
}

function unknownLanguages(
  folder: string,
  unknown: readonly { readonly name: string; readonly suggestion: string | undefined }[],
): ConfigError {
  const names = unknown.map(({ name }) => `"${name}"`).join(', ')
  const flag = unknown.map(({ name, suggestion = '' }) => `${name}=${suggestion}`).join(',')
  return new ConfigError(`${folder} has names that are no language codes: ${names}`, {
    help: `Add --languages '${flag}' with their codes, such as zhtw=zh-TW. A name without a code is ignored.`,
  })
}

/** Lines of a table that are shown of a long list. */
const mostShown = 10

/** Formats what was understood of a folder as a table. */
export function formatDetected(folder: string, detected: DetectedFolder): string {
  const { from, syntax, languages, defaultLanguage, modules, files, keys, notTaken } = detected
  const codes = languages.map(({ name, code }) =>
    [name === code ? name : `${name} = ${code}`, code === defaultLanguage ? ' (default)' : ''].join(
      '',
    ),
  )
  const shown = modules.slice(0, mostShown).join(', ')
  const more = modules.length > mostShown ? `, and ${modules.length - mostShown} more` : ''
  const hidden = notTaken.length - mostShown
  const rows: readonly (readonly [string, string])[] = [
    [
      'layout',
      `${[from.files ?? '{language}/{module}.json'].flat().join(', ')} (${formatCount(files, 'file')})`,
    ],
    ['languages', codes.join(', ')],
    ['modules', `${shown}${more}`],
    ['keys', String(keys)],
    ['syntax', `${syntax}, such as ${examples[syntax]}`],
    ...notTaken
      .slice(0, mostShown)
      .map((line, index) => [index === 0 ? 'not taken' : '', line] as const),
    ...(hidden > 0 ? [['', `and ${hidden} more`] as const] : []),
  ]
  return `${folder}:\n${rows.map(([name, value]) => `  ${name.padEnd(10)} ${escapeInvisible(value)}\n`).join('')}`
}

const examples: Readonly<Record<DetectedFolder['syntax'], string>> = {
  'double-brace': '{{name}}',
  'single-brace': '{name}',
  'percent-brace': '%{name}',
  icu: '{name} and {count, plural, …}',
  'vue-i18n': '{name} and one | many',
}

/** Returns the lines of the section `localization` of the config file. */
export function folderConfigLines(
  folder: string,
  { from, syntax, languages, defaultLanguage }: DetectedFolder,
): readonly string[] {
  const { folder: _, ...rest } = from
  const value = Object.keys(rest).length === 0 ? literal(folder) : literal({ folder, ...rest })
  const codes = languages.map(({ code }) => code).sort()
  const usual =
    codes.find((code) => code === 'en') ?? codes.find((code) => /^en[-_]/.test(code)) ?? codes[0]
  return [
    '  localization: {',
    `    from: ${value},`,
    ...(syntax === 'double-brace' ? [] : [`    syntax: ${literal(syntax)},`]),
    ...(defaultLanguage === usual ? [] : [`    defaultLanguage: ${literal(defaultLanguage)},`]),
    '  },',
  ]
}

/** Prints a value as JavaScript with single quotes. */
function literal(value: unknown): string {
  if (typeof value === 'string') {
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  }
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const properties = Object.entries(value as FolderOptions).map(
    ([name, inner]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${literal(inner)}`,
  )
  return `{ ${properties.join(', ')} }`
}

/**
 * Returns the path of a folder relative to an application, with `/`.
 *
 * @throws ConfigError if it is outside.
 */
export function folderIn({ root }: ProjectFacts, path: string): string {
  const folder = relative(root, path).replaceAll('\\', '/')
  return folder === '' ? '.' : folder
}
