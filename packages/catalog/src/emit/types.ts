import { addMapping, GenMapping, toEncodedMap } from '@jridgewell/gen-mapping'
import type { Catalog } from '../model/catalog.ts'
import type { ParameterType } from '../syntax/message.ts'
import { type MessageModel, type ModuleModel, tagsOf } from '../model/model.ts'
import { hasStringExport } from '../model/names.ts'
import type { TagNames } from '../syntax/tags.ts'
import { escapeInvisible } from '@servicekit/core'
import { stringLiteral } from './literal.ts'

export interface TypesInput {
  readonly module: ModuleModel
  readonly catalog: Catalog
  /** Specifier of the runtime, e.g. `~uilm` or `./runtime.js`. */
  readonly runtime: string
  /** Specifier of an ambient module to declare; by default the file itself is the module. */
  readonly ambient?: string
  /** Name of the emitted file, e.g. `auth.d.ts`. */
  readonly fileName: string
  /**
   * Snapshot that defines the keys, relative to the emitted file, and the line of each key.
   * Go-to-definition opens it.
   */
  readonly source?: { readonly path: string; readonly lines: ReadonlyMap<string, number> }
  /** Also exports messages by exact keys that are no identifiers; true by default. */
  readonly stringExports?: boolean | undefined
}

/**
 * Emits the declarations of a key module: one const per message. The types are shared
 * aliases, so that a key costs the type checker nothing until it is used. Hovering shows
 * the message in two languages, its module and its key.
 *
 * @returns the text, and the source map if `source` is given.
 */
export function emitTypes(input: TypesInput): { readonly text: string; readonly map?: string } {
  const { module, catalog, source, fileName, stringExports = true } = input
  const shown = shownLanguages(catalog)
  const names = new Set(module.messages.map(({ name }) => name))
  const lines: string[] = []
  const renamed: MessageModel[] = []
  const map = source === undefined ? undefined : new GenMapping({ file: fileName })
  const used = new Set<string>()

  for (const message of module.messages) {
    const type = typeOf(message, names)
    used.add(type.imported)
    lines.push(...documentation(module, message, shown))
    const sourceLine = source?.lines.get(message.group.plural?.get('other') ?? message.key)
    if (map && source && sourceLine !== undefined) {
      const line = headLines + lines.length + 1
      const [start, end] = [keyColumn, keyColumn + message.key.length + 2]
      addMapping(map, {
        generated: { line, column: prefix.length },
        original: { line: sourceLine, column: start },
        source: source.path,
      })
      addMapping(map, {
        generated: { line, column: prefix.length + message.name.length },
        original: { line: sourceLine, column: end },
        source: source.path,
      })
    }
    lines.push(`${prefix}${message.name}: ${type.text}`)
    if (stringExports && hasStringExport(message)) renamed.push(message)
  }
  for (const message of renamed) {
    lines.push(`export { ${message.name} as ${stringLiteral(message.key)} }`)
  }
  const imported = [...used].sort()
  const imports =
    imported.length === 0
      ? 'export {}'
      : `import type { ${imported.join(', ')} } from ${stringLiteral(input.runtime)}`
  const [head, end] =
    input.ambient === undefined
      ? [[noLint, imports, ''], []]
      : [[noLint, ambientHead(input.ambient), imports], ['}']]
  const tail = map === undefined ? [] : [`//# sourceMappingURL=${encodeURI(fileName)}.map`]
  return {
    text: [...head, ...lines, ...end, ...tail, ''].join('\n'),
    ...(map === undefined ? {} : { map: `${JSON.stringify(toEncodedMap(map))}\n` }),
  }
}

/** First line of declarations: ESLint does not skip generated files. */
export const noLint = '/* eslint-disable */'

/** Returns the first line of the declaration of an ambient module. */
export const ambientHead = (specifier: string): string =>
  `declare module ${stringLiteral(specifier)} {`

// Valid in a module that is a file and in an ambient one, where `declare` is not allowed.
const prefix = 'export const '

/** Number of lines before the first message. */
const headLines = 3

/** Column of a key in a snapshot file, after the indentation. */
const keyColumn = 2

/** @param names Export names of the module. A key may be called `Message`. */
function typeOf(
  message: MessageModel,
  names: ReadonlySet<string>,
): { readonly imported: string; readonly text: string } {
  const isTyped = message.types.size > 0
  const tags = tagsOf(message)
  const params =
    tags.size > 0
      ? markupParameters(message, tags)
      : message.base
        ? `[${argumentsType(message.base)}], ${argumentsType(message)}`
        : isTyped
          ? argumentsType(message)
          : message.params.map((name) => stringLiteral(name)).join(' | ')
  const alias =
    tags.size > 0
      ? 'MarkupMessage'
      : message.base
        ? 'PluralOrPlain'
        : isTyped
          ? 'MessageOf'
          : message.plural
            ? 'PluralMessage'
            : params
              ? 'MessageWith'
              : 'Message'
  // No key has an export name of this form.
  const local = names.has(alias) ? `$_${alias}` : alias
  return {
    imported: local === alias ? alias : `${alias} as ${local}`,
    text: params ? `${local}<${params}>` : local,
  }
}

/** Returns the type parameters of a message with tags: tags, self-closing tags, arguments. */
function markupParameters(message: MessageModel, tags: TagNames): string {
  const namesOf = (hasChildren: boolean): string =>
    [...tags]
      .filter(([, own]) => own === hasChildren)
      .map(([name]) => stringLiteral(name))
      .join(' | ') || 'never'
  const all = message.base ? [message.base, message] : [message]
  const args = all.map((one) => argumentsType(one) || 'unknown')
  return `${namesOf(true)}, ${namesOf(false)}, ${args.join(' | ')}`
}

/**
 * Returns an object type such as `{ readonly "total": number }`; empty for a message
 * without parameters.
 */
function argumentsType(message: MessageModel): string {
  const types = new Map<string, ParameterType>(message.plural ? [['count', 'number']] : [])
  for (const name of message.params) types.set(name, message.types.get(name) ?? 'value')
  if (types.size === 0) return ''
  const fields = [...types].map(([name, type]) => `${stringLiteral(name)}: ${valueTypes[type]}`)
  return `{ readonly ${fields.join('; readonly ')} }`
}

const valueTypes: Readonly<Record<ParameterType, string>> = {
  value: 'string | number',
  number: 'number',
  date: 'Date | number',
  list: 'readonly string[]',
  flag: 'string | number | boolean',
}

/** Returns the default language and the next one. */
const shownLanguages = (catalog: Catalog): readonly string[] =>
  catalog.languages.slice(0, 2).map(({ code }) => code)

function documentation(
  module: ModuleModel,
  message: MessageModel,
  languages: readonly string[],
): readonly string[] {
  const key = message.group.plural?.get('other') ?? message.key
  const translations = languages.map((language) => {
    const text = module.source.translations.get(language)?.get(key)
    return ` * ${language}: ${text ? commentText(text) : '(not translated)'}`
  })
  return [
    '/**',
    ...translations.flatMap((line) => [line, ' *']),
    ` * ${commentText(module.name)}: \`${commentText(message.key)}\``,
    ' */',
  ]
}

/**
 * Returns text for a doc comment: one line of at most 200 characters that cannot end the
 * comment or introduce tags.
 */
export function commentText(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length <= 200 && !needsEscaping.test(trimmed)) return trimmed
  const line = trimmed.replaceAll(/\s+/g, ' ')
  const cut = line.length > 200 ? `${line.slice(0, 199)}…` : line
  return escapeInvisible(cut)
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('*/', '*\u200b/')
    .replaceAll('@', '\u200b@')
}

/** Few translations match, and this test costs a quarter of the four replacements. */
const needsEscaping = /\s\s|[^\S ]|[@\p{C}]|\*\//u
