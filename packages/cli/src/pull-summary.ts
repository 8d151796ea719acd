import { type Catalog, inspect, type Model, pseudoKindOf } from '@servicekit/catalog'
import { formatCount } from '@servicekit/core'

/** Changes beyond this number are only counted: a pull request holds 65,536 characters. */
const maxRows = 100
const maxTextLength = 100

/** Translation before and after a pull; undefined if it did not exist. */
interface Change {
  readonly language: string
  readonly module: string
  readonly key: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Formats a pull as Markdown for a pull request: coverage and changes by language, then each
 * changed translation, and the missing ones.
 *
 * @param before Committed translations; undefined if there were none.
 */
export function formatPullSummary(before: Catalog | undefined, model: Model): string {
  const { catalog: after, options } = model
  const languages = after.languages
    .map(({ code }) => code)
    .filter((code) => pseudoKindOf(code, options.pseudo) === undefined)
  const changes = compareCatalogs(before, after)
  const missing = inspect(model).filter(({ code }) => code === 'MISSING_TRANSLATION')
  const messages = model.modules.reduce((sum, module) => sum + module.messages.length, 0)
  const removed = (before?.languages ?? [])
    .map(({ code }) => code)
    .filter((code) => !after.languages.some((one) => one.code === code))
  const rows = languages.map((language) => {
    const own = changes.filter((one) => one.language === language)
    const lacking = missing.filter((one) => one.language === language).length
    const percent = messages === 0 ? 100 : Math.floor((100 * (messages - lacking)) / messages)
    const counts = [
      own.filter((one) => one.before === undefined).length,
      own.filter((one) => one.before !== undefined && one.after !== undefined).length,
      own.filter((one) => one.after === undefined).length,
    ]
    return [language, ...counts, lacking, `${percent} %`]
  })
  const total =
    changes.length === 0
      ? 'No translation changed.'
      : `${formatCount(changes.length, 'translation')} changed.`
  return `${[
    `## Translations\n\n${total}`,
    table(['language', 'added', 'changed', 'removed', 'missing', 'translated'], rows),
    ...(removed.length === 0 ? [] : [`Removed languages: ${removed.join(', ')}.`]),
    ...section('Changes', changes, ['language', 'module', 'key', 'before', 'after'], (one) => [
      one.language,
      ...[one.module, one.key, one.before, one.after].map(code),
    ]),
    ...section('Missing translations', missing, ['language', 'module', 'key'], (one) => [
      one.language ?? '',
      code(one.module),
      code(one.key),
    ]),
  ].join('\n\n')}\n`
}

function section<Item>(
  title: string,
  items: readonly Item[],
  head: readonly string[],
  rowOf: (item: Item) => readonly string[],
): readonly string[] {
  if (items.length === 0) return []
  const hidden = items.length - maxRows
  return [
    `<details><summary>${title} (${items.length})</summary>`,
    table(head, items.slice(0, maxRows).map(rowOf)),
    ...(hidden > 0 ? [`And ${hidden} more.`] : []),
    '</details>',
  ]
}

/** Returns the translations that differ, by language, module and key. */
function compareCatalogs(before: Catalog | undefined, after: Catalog): readonly Change[] {
  return after.languages.flatMap(({ code: language }) => {
    const names = [
      ...new Set([...after.modules, ...(before?.modules ?? [])].map(({ name }) => name)),
    ]
    return names.flatMap((module) => {
      const textsOf = (catalog: Catalog | undefined) =>
        catalog?.modules.find(({ name }) => name === module)?.translations.get(language)
      const [old, current] = [textsOf(before), textsOf(after)]
      const keys = [...new Set([...(current?.keys() ?? []), ...(old?.keys() ?? [])])]
      return keys.flatMap((key): Change[] => {
        const change = { before: old?.get(key) || undefined, after: current?.get(key) || undefined }
        return change.before === change.after ? [] : [{ language, module, key, ...change }]
      })
    })
  })
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/**
 * Formats a text as code, so that it can neither mention people nor contain markup. Code in a
 * table still needs `|` escaped.
 */
function code(text: string | undefined): string {
  if (text === undefined) return ''
  const characters = [...text.replaceAll(/\s+/g, ' ')]
  const short =
    characters.length > maxTextLength
      ? `${characters.slice(0, maxTextLength).join('')}…`
      : characters.join('')
  const ticks = Math.max(0, ...[...short.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(ticks + 1)
  const space = ticks > 0 ? ' ' : ''
  return `${fence}${space}${short.replaceAll('|', '\\|')}${space}${fence}`
}
