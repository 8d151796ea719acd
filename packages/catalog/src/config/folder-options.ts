import { checkOptions, ConfigError } from '@servicekit/client'
import { isObject, languageCodeProblem } from '@servicekit/core'
import { type FilePattern, parsePattern } from './file-pattern.ts'

/** Folder of translation files that is the source of truth: nothing is fetched or copied. */
export interface FolderOptions {
  /** Path of the folder. */
  readonly folder: string
  /**
   * Paths of its files, `.json`, `.yml` or `.yaml`; `{language}/{module}.json` by default. The first
   * pattern that fits decides. `{language}.json#{module}` takes the names at the top of a file for
   * modules.
   */
  readonly files?: string | readonly string[]
  /**
   * Language codes of names that are none: `{ zhtw: 'zh-TW' }`. `false` ignores the files of a name.
   */
  readonly languages?: Readonly<Record<string, string | false>>
  /** Module of files whose path names none; `messages` by default. */
  readonly module?: string
}

/** Folder options with their defaults. */
export interface ResolvedFolder {
  /** Absolute path. */
  readonly folder: string
  readonly patterns: readonly FilePattern[]
  readonly languages: ReadonlyMap<string, string | false>
  readonly module: string
}

/** Pattern of the files of a folder by default. */
export const defaultPattern = '{language}/{module}.json'

/** Module of files whose path names none, by default. */
const defaultModule = 'messages'

/**
 * Validates the option `from` and adds defaults.
 *
 * @param within Returns the absolute path of a folder.
 * @throws ConfigError
 */
export function resolveFolder(
  from: string | FolderOptions,
  within: (path: string) => string,
): ResolvedFolder {
  const options = typeof from === 'string' ? { folder: from } : from
  if (!isObject(options)) throw new ConfigError('from must be a folder or an object')
  checkOptions('from option', options, ['folder', 'files', 'languages', 'module'])
  const { folder, files = defaultPattern, languages = {}, module = defaultModule } = options
  if (typeof folder !== 'string' || folder === '') {
    throw new ConfigError('from.folder must be the path of a folder')
  }
  const patterns = [files].flat()
  if (patterns.length === 0 || !patterns.every((one) => typeof one === 'string')) {
    throw new ConfigError('from.files must be a pattern, or a list of patterns')
  }
  if (typeof module !== 'string' || module === '') {
    throw new ConfigError('from.module must be the name of a module')
  }
  if (!isObject(languages)) throw new ConfigError('from.languages must be an object')
  for (const [name, code] of Object.entries(languages)) {
    if (/[/\\]|^\.{0,2}$/.test(name)) {
      throw new ConfigError(`from.languages has a name that is no file name: "${name}"`)
    }
    if (code === false || (typeof code === 'string' && languageCodeProblem(code) === undefined))
      continue
    throw new ConfigError(
      `from.languages.${name} must be a language code or false (received ${JSON.stringify(code)})`,
    )
  }
  return {
    folder: within(folder),
    patterns: patterns.map(parsePattern),
    languages: new Map(Object.entries(languages)),
    module,
  }
}
