import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, ServicekitError } from '@servicekit/client'
import { byCodePoint, isJsonObject } from '@servicekit/core'
import { type Catalog, keysOf } from '../model/catalog.ts'
import { inspect } from '../model/inspect.ts'
import { type MessageSyntax, syntaxErrorOf } from '../syntax/message.ts'
import { buildModel } from '../model/model.ts'
import { formatProblem, isRefused } from '../model/problem.ts'
import { referencesIn } from './expand-references.ts'
import { type FilePattern, parsePattern } from '../config/file-pattern.ts'
import { defaultPattern, type FolderOptions, resolveFolder } from '../config/folder-options.ts'
import { listFiles } from './list-files.ts'
import { createFolderReader, findTranslationFiles, isFolderLanguage } from './read-folder.ts'
import { parseTranslationFile } from './translation-file.ts'

/** Layout and contents of a folder of translation files. */
export interface DetectedFolder {
  /** Value of the option `from`. */
  readonly from: FolderOptions
  readonly syntax: MessageSyntax
  /** Names of a language in the paths, and its code. */
  readonly languages: readonly { readonly name: string; readonly code: string }[]
  readonly defaultLanguage: string
  readonly modules: readonly string[]
  readonly files: number
  readonly keys: number
  /** Files and texts that are not taken, or not as they are meant, with the reason. */
  readonly notTaken: readonly string[]
}

/** Names that are taken for languages by their place, and are none. */
export interface UnknownLanguages {
  /** Names, with the code that each may mean. */
  readonly unknown: readonly { readonly name: string; readonly suggestion: string | undefined }[]
}

export interface DetectOptions {
  /** Language codes of names that are none, or `false` to ignore the files of a name. */
  readonly languages?: Readonly<Record<string, string | false>>
  /** Names of the packages that the application depends on, which tell single braces apart. */
  readonly dependencies?: readonly string[]
}

const layouts = ['{language}/{module}', '{language}', '{module}.{language}', '{module}/{language}']
const patterns = ['json', 'yml', 'yaml'].flatMap((extension) =>
  layouts.map((layout) => parsePattern(`${layout}.${extension}`)),
)

/**
 * Detects how the translation files of a folder are laid out and written.
 *
 * @returns the names that are no languages if there are any that `languages` does not map.
 * @throws ConfigError if the folder contains no translation files.
 * @throws ServicekitError CATALOG_INVALID for a file that is not valid.
 */
export function detectFolder(
  folder: string,
  { languages = {}, dependencies = [] }: DetectOptions = {},
): DetectedFolder | UnknownLanguages {
  const path = resolve(folder)
  const paths = listFiles(path)
  const isLanguage = (name: string): boolean =>
    Object.hasOwn(languages, name) ? languages[name] !== false : isKnownLanguage(name)
  const chosen = choosePatterns(paths, isLanguage)
  if (chosen.length === 0) {
    throw new ConfigError(`${folder} contains no translation files`, {
      details: { found: paths.slice(0, 5).join(', ') || 'no .json, .yml or .yaml files' },
      help: 'Expected names such as en/cart.json, en.json, cart.en.json or en.yml, with a language code.',
    })
  }
  const taken = paths.flatMap((one) => {
    const pattern = chosen.find((candidate) => candidate.match(one) !== undefined)
    return pattern ? [{ path: one, name: pattern.match(one)!.language }] : []
  })
  const names = [...new Set(taken.map(({ name }) => name))].sort(byCodePoint)
  const unknown = names
    .filter((name) => !isLanguage(name) && languages[name] !== false)
    .map((name) => ({ name, suggestion: suggestLanguage(name) }))
  if (unknown.length > 0) return { unknown }

  const used = Object.entries(languages).filter(
    ([name, code]) => names.includes(name) && code !== name,
  )
  const files = chosen.map(({ text }) => text)
  const isNextIntl = dependencies.some((name) => /^(?:next-intl|use-intl)$/.test(name))
  const plain: FolderOptions = {
    folder,
    ...(files.length === 1 && files[0] === defaultPattern
      ? {}
      : { files: files.length === 1 ? files[0]! : files }),
    ...(used.length === 0 ? {} : { languages: Object.fromEntries(used) }),
  }
  const from =
    isNextIntl &&
    files.length === 1 &&
    files[0] === '{language}.json' &&
    hasOnlySections(path, plain)
      ? { ...plain, files: '{language}.json#{module}' }
      : plain
  const catalogOf = (syntax: MessageSyntax) =>
    createFolderReader({
      from: resolveFolder(from, () => path),
      languages: undefined,
      modules: undefined,
      defaultLanguage: undefined,
      maxBytes: 16 * 1024 * 1024,
      syntax,
    }).read()
  const raw = catalogOf('single-brace')
  const syntax = detectSyntax(textsOf(raw.catalog), dependencies)
  const { catalog, problems } = catalogOf(syntax)
  const takenPaths = new Set(taken.map((one) => one.path))
  const ignored = new Set(names.filter((name) => languages[name] === false))
  return {
    from,
    syntax,
    languages: names
      .filter((name) => !ignored.has(name))
      .map((name) => ({ name, code: (languages[name] as string | undefined) ?? name })),
    defaultLanguage: mostComplete(catalog),
    modules: catalog.modules.map(({ name }) => name),
    files: raw.files,
    keys: catalog.modules.reduce((sum, module) => sum + keysOf(module).length, 0),
    notTaken: [
      ...paths
        .filter((one) => !takenPaths.has(one))
        .map((one) => `${one}: is not named like the others`),
      ...taken.filter(({ name }) => ignored.has(name)).map((one) => `${one.path}: is ignored`),
      ...problems.filter(({ code }) => code !== 'FILE_IGNORED').map(formatProblem),
      ...textProblems(catalog, syntax),
    ],
  }
}

/** Chooses the patterns of the most files, until every file that fits one is taken. */
function choosePatterns(
  paths: readonly string[],
  isLanguage: (name: string) => boolean,
): readonly FilePattern[] {
  const chosen: FilePattern[] = []
  let left = paths
  while (left.length > 0) {
    const counts = patterns.map((pattern) => {
      const names = left.flatMap((path) => pattern.match(path)?.language ?? [])
      const known = names.filter(isLanguage)
      // A folder of modules such as `new/en.json` also fits by chance, for some of its files.
      const unknown = names.length - known.length
      return { pattern, count: known.length === 0 ? 0 : known.length - unknown / 1000 }
    })
    const best = counts.reduce((a, b) => (b.count > a.count ? b : a))
    if (best.count <= 0) break
    chosen.push(best.pattern)
    left = left.filter((path) => {
      const names = best.pattern.match(path)
      return names === undefined || !isLanguage(names.language)
    })
  }
  return chosen.sort(bySpecificity)
}

/** Longer patterns first: `devise.en.yml` also fits `{language}.yml`. */
const bySpecificity = (a: FilePattern, b: FilePattern): number => b.text.length - a.text.length

/** Returns whether a name is the code of a language whose parts all have names in English. */
function isKnownLanguage(name: string): boolean {
  if (!isFolderLanguage(name)) return false
  try {
    const { language, script, region } = new Intl.Locale(name.replaceAll('_', '-'))
    return (
      hasName('language', language) &&
      (script === undefined || hasName('script', script)) &&
      (region === undefined || hasName('region', region))
    )
  } catch {
    return false
  }
}

const hasName = (type: 'language' | 'script' | 'region', code: string): boolean =>
  new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(code) !== undefined

/** Returns the code that a name may mean: `zh-TW` for `zhtw`, `ca` for `ca@valencia`. */
function suggestLanguage(name: string): string | undefined {
  const candidates = [
    name.replace(
      /^([a-z]{2})([a-z]{2})$/i,
      (_, language: string, region: string) => `${language.toLowerCase()}-${region.toUpperCase()}`,
    ),
    name.replace(/^([A-Za-z]{2,3})@valencia$/, '$1-valencia'),
    name.replace(/[.@].*$/, ''),
  ]
  return candidates.find((one) => one !== name && isKnownLanguage(one))
}

const hasOnlySections = (folder: string, from: FolderOptions): boolean =>
  findTranslationFiles(resolveFolder(from, () => folder)).files.every(
    ({ path, name, language }) => {
      const text = readFileSync(join(folder, path), 'utf8')
      try {
        const { tree } = parseTranslationFile(text, 'json', [name, language])
        return [...tree.entries.values()].every(({ node }) => isJsonObject(node))
      } catch (error) {
        // It is reported when the folder is read.
        if (error instanceof SyntaxError) return true
        throw error
      }
    },
  )

const textsOf = ({ modules }: Catalog): readonly string[] =>
  modules.flatMap(({ translations }) =>
    [...translations.values()].flatMap((texts) =>
      [...texts.values()].filter((text) => text !== null),
    ),
  )

const icuLibraries = /^(?:next-intl|use-intl|react-intl|@formatjs\/.*|intl-messageformat)$/

function detectSyntax(texts: readonly string[], dependencies: readonly string[]): MessageSyntax {
  const count = (pattern: RegExp): number => texts.filter((text) => pattern.test(text)).length
  const isVue = dependencies.some((name) => /^(?:vue-i18n|@nuxtjs\/i18n)$/.test(name))
  const isIcu = dependencies.some((name) => icuLibraries.test(name))
  if (count(/(?<!\{)\{\s*\w+\s*,\s*(?:plural|select|selectordinal|number|date|time)\b/) > 0)
    return 'icu'
  const double = count(/\{\{-?[^{}]+\}\}/)
  const percent = count(/%\{[^{}]+\}/)
  const single = count(/(?<![{%])\{\s*[\w.]+\s*\}(?!\})/)
  const links = count(/@(?:\.[a-z]+)?:[\w{]/) + count(/\{'[^']*'\}/)
  if (double > 0 && double >= single) return 'double-brace'
  if (percent > 0 && percent >= single) return 'percent-brace'
  if (isVue || (links > 0 && !isIcu)) return 'vue-i18n'
  if (isIcu) return 'icu'
  return single > 0 ? 'single-brace' : 'double-brace'
}

/** Returns the default language: `en` or an `en-…`, or else the one with the most translations. */
function mostComplete({ defaultLanguage, languages, modules }: Catalog): string {
  if (/^en(?:[-_]|$)/.test(defaultLanguage)) return defaultLanguage
  const size = (code: string): number =>
    modules.reduce((sum, { translations }) => sum + (translations.get(code)?.size ?? 0), 0)
  return languages.reduce((a, b) => (size(b.code) > size(a.code) ? b : a)).code
}

/** Returns the texts that a build shows differently than the library that they are written for. */
function textProblems(catalog: Catalog, syntax: MessageSyntax): readonly string[] {
  const found: string[] = []
  for (const { name, translations } of catalog.modules) {
    const keys = new Set([...translations.values()].flatMap((texts) => [...texts.keys()]))
    for (const key of keys) {
      if (key.endsWith('_plural') && keys.has(key.slice(0, -'_plural'.length))) {
        found.push(
          `${name} ${key}: is a plural of i18next before version 21; convert it to _one and _other`,
        )
      }
      if (key.endsWith('.other') && keys.has(key.replace(/other$/, 'one'))) {
        found.push(
          `${name} ${key}: is a plural of Rails; rename its forms to ${key.replace(/\.other$/, '_one')} and _other`,
        )
      }
    }
    for (const [language, texts] of translations) {
      for (const [key, text] of texts) {
        if (text === null) continue
        const error = syntaxErrorOf(text, syntax)
        if (error !== undefined) found.push(`${name} ${key} (${language}): ${error}`)
        const [reference] = referencesIn(text, syntax)
        if (reference !== undefined || (syntax === 'double-brace' && text.includes('$t('))) {
          found.push(
            `${name} ${key} (${language}): refers to ${reference ?? 'another message'} in a way that is not resolved; it is shown as text`,
          )
        }
      }
    }
  }
  try {
    for (const problem of inspect(buildModel(catalog, { syntax }))) {
      if (problem.severity === 'error' || isRefused(problem.code)) {
        found.push(formatProblem(problem))
      }
    }
  } catch (error) {
    if (!(error instanceof ServicekitError)) throw error
    found.push(error.message.split('\n', 1)[0]!)
  }
  return found
}

/** Folders in which translation files usually are. */
export const usualFolders = [
  'locales',
  'src/locales',
  'messages',
  'src/messages',
  'public/locales',
  'src/i18n/locales',
  'i18n/locales',
  'config/locales',
  'app/locales',
  'lang',
  'src/lang',
  'i18n',
  'src/i18n',
] as const
