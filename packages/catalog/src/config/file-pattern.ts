import { ConfigError } from '@servicekit/client'
import { escapePattern, fileNameOf } from '@servicekit/core'

/** Pattern of the paths of translation files: `{language}/{module}.json`. */
export interface FilePattern {
  readonly text: string
  readonly format: 'json' | 'yaml'
  /** `true` if the path names the module. */
  readonly hasModule: boolean
  /** `true` if the names at the top of a file are modules. */
  readonly hasSections: boolean
  /** Returns what a path names; undefined if it does not fit. */
  readonly match: (path: string) => PathNames | undefined
  /** Returns the path of a file, relative to the folder. */
  readonly pathOf: (names: { readonly language: string; readonly module: string }) => string
}

/** Names in the path of a translation file. */
export interface PathNames {
  /** Name of the language in the path, which may not be its code. */
  readonly language: string
  /** Undefined if the path names no module. */
  readonly module: string | undefined
}

const sectionMark = '#{module}'

/** @throws ConfigError for a pattern that is not one of translation files. */
export function parsePattern(text: string): FilePattern {
  const hasSections = text.endsWith(sectionMark)
  const path = hasSections ? text.slice(0, -sectionMark.length) : text
  const parts = path.split(/(\{language\}|\{module\})/)
  const count = (name: string): number => parts.filter((part) => part === name).length
  const rest = parts.filter((_, index) => index % 2 === 0).join('')
  const problem = problemOf(path, rest, {
    languages: count('{language}'),
    modules: count('{module}') + Number(hasSections),
  })
  if (problem !== undefined) {
    throw new ConfigError(`The pattern ${JSON.stringify(text)} of the option from ${problem}`, {
      help: 'Examples: {language}/{module}.json, {language}.json, {module}.{language}.yml.',
    })
  }
  const hasModule = parts.includes('{module}')
  const expression = new RegExp(
    `^${parts
      .map((part, index) => {
        if (part === '{module}') return '(?<module>.+)'
        if (part !== '{language}') return escapePattern(part)
        // `auth.en.json` is the module `auth`, and `en_GB.bak.json` is not of `auth`.
        return (parts[index - 1] ?? '').endsWith('.') ? '(?<language>[^/.]+)' : '(?<language>[^/]+)'
      })
      .join('')}$`,
    's',
  )
  return {
    text,
    format: /\.ya?ml$/.test(path) ? 'yaml' : 'json',
    hasModule,
    hasSections,
    match(found) {
      const { language, module } = expression.exec(found)?.groups ?? {}
      if (language === undefined) return undefined
      return { language, module: module === undefined ? undefined : decodePath(module) }
    },
    pathOf: ({ language, module }) =>
      parts
        .map((part) =>
          part === '{module}' ? encodePath(module) : part === '{language}' ? language : part,
        )
        .join(''),
  }
}

function problemOf(
  path: string,
  rest: string,
  { languages, modules }: { readonly languages: number; readonly modules: number },
): string | undefined {
  if (!/\.(?:json|ya?ml)$/.test(path)) return 'must end with .json, .yml or .yaml'
  if (languages !== 1) return 'must contain {language} once'
  if (modules > 1) return 'must contain {module} at most once'
  if (/[{}#\\]/.test(rest)) return 'may only contain the names {language} and {module}'
  if (path.startsWith('/') || path.split('/').includes('..')) return 'must be inside the folder'
  return undefined
}

/** File names encode characters that are not allowed in them. */
const decodePath = (path: string): string => path.split('/').map(decodeName).join('/')

function decodeName(name: string): string {
  try {
    const decoded = decodeURIComponent(name)
    return fileNameOf(decoded) === name ? decoded : name
  } catch {
    return name
  }
}

/** Returns the path of a module: `shop/cart` is in the folder `shop`. */
function encodePath(module: string): string {
  const segments = module.split('/')
  return segments.includes('') ? fileNameOf(module) : segments.map(fileNameOf).join('/')
}
