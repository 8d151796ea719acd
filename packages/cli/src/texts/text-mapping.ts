import { ConfigError } from '@servicekit/client'
import { unknownName } from '@servicekit/core'
import {
  namesInFiles,
  type NameMapping,
  type ReadFile,
  type ReadOptions,
} from '@servicekit/formats'

type Kind = 'language' | 'module' | 'column'

/** Value of `--map`: `de=de-DE`, `module:shop.json=shop`, `column:Notes=context`. */
interface MapFlag {
  readonly kind: Kind | undefined
  readonly name: string
  readonly target: string
}

/** Parses the values of `--map`. @throws ConfigError */
export const parseMapFlags = (values: readonly string[]): readonly MapFlag[] =>
  values.map((value) => {
    const [, kind, name, target] = /^(?:(language|module|column):)?(.*?)=(.*)$/s.exec(value) ?? []
    if (name === undefined || target === undefined) {
      throw new ConfigError(`--map must be NAME=VALUE (received "${value}")`, {
        help: 'Use --map de=de-DE, --map module:shop.json=shop or --map column:Notes=context.',
      })
    }
    return { kind: kind as Kind | undefined, name, target }
  })

const roles = ['key', 'module', 'source', 'text', 'context', 'maxLength', 'ignored']

/** Returns the meaning of the columns that flags name. @throws ConfigError */
export const columnsOf = (flags: readonly MapFlag[]): NonNullable<ReadOptions['columns']> =>
  new Map(
    flags.flatMap(({ kind, name, target }) => {
      if (kind !== 'column') return []
      if (!roles.includes(target) && !target.startsWith('language:')) {
        throw new ConfigError(unknownName('column', target, [...roles, 'language:CODE']))
      }
      return [[name, target as 'key'] as const]
    }),
  )

/**
 * Returns a mapping with the names that flags map. An empty value leaves the texts of a name out.
 *
 * @throws ConfigError for a name that the files do not use.
 */
export function withMapFlags(
  { languages, modules }: NameMapping,
  flags: readonly MapFlag[],
  files: readonly ReadFile[],
): NameMapping {
  const names = namesInFiles(files)
  const mapped = { languages: new Map(languages), modules: new Map(modules) }
  for (const { kind, name, target } of flags) {
    if (kind === 'column') continue
    const isLanguage = kind !== 'module' && names.languages.includes(name)
    const isModule = kind !== 'language' && names.modules.includes(name)
    if (!isLanguage && !isModule) {
      const known = [...names.languages, ...names.modules].filter((one) => one !== '')
      throw new ConfigError(unknownName(kind ?? 'name', name, known), {
        help: 'Use --map with a language or module that the files name; --check lists them.',
      })
    }
    if (isLanguage) mapped.languages.set(name, target || null)
    else mapped.modules.set(name, target || null)
  }
  return mapped
}
