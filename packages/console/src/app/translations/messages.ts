import { everydayCategoriesOf, groupKeys, type KeyGroup } from '@servicekit/catalog/inspection'
import { pluralForms } from '@servicekit/core'
import type { KeyRecord } from '../state/records.ts'
import { idOf, newRow, shownText, valueOf } from './key-values.ts'

/** Text field of a message: the message itself, or one plural form. */
interface MessageForm {
  /** Plural category; undefined for a message without plural. */
  readonly category: string | undefined
  /** Key of the translation. It need not exist yet. */
  readonly key: string
  /** Numbers that use this form; empty for a message without plural. */
  readonly numbers: readonly number[]
}

/** Message whose plural forms are translated together. */
export interface Message {
  readonly module: string
  /** Key; of a plural without the suffix of a form. */
  readonly key: string
  readonly forms: readonly MessageForm[]
}

/** Returns the messages of keys, with the forms that a language has or needs. */
export function messagesIn(rows: readonly KeyRecord[], language: string): readonly Message[] {
  const present = rows.filter(({ isRemoved }) => !isRemoved)
  const byId = new Map(present.map((row) => [idOf(row), row]))
  const modules = new Map<string, string[]>()
  for (const { module, key } of present) {
    const keys = modules.get(module)
    if (keys) keys.push(key)
    else modules.set(module, [key])
  }
  const hasText = (module: string, key: string): boolean => {
    const row = byId.get(idOf({ module, key }))
    return row !== undefined && shownText(valueOf(row, language)) !== ''
  }
  return [...modules].flatMap(([module, keys]) =>
    groupKeys(keys).map((group): Message => {
      const forms = formsOf(group, language, (key) => hasText(module, key))
      return { module, key: group.key, forms }
    }),
  )
}

function formsOf(
  { key, plural, ordinal, base }: KeyGroup,
  language: string,
  hasText: (key: string) => boolean,
): readonly MessageForm[] {
  const alone = { category: undefined, key, numbers: [] }
  if (!plural) return [alone]
  const needed: readonly string[] = everydayCategoriesOf(language, ordinal ? 'ordinal' : 'cardinal')
  const numbers = pluralForms(language)
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other'].flatMap((category) => {
    const name = `${key}_${category}`
    const isShown = category === 'other' || needed.includes(category) || hasText(name)
    const samples = numbers.get(ordinal ? `ordinal_${category}` : category) ?? []
    return isShown ? { category, key: name, numbers: samples } : []
  })
  return base === undefined ? forms : [alone, ...forms]
}

/** Returns the keys of a message. */
export const keysOf = ({ module, forms }: Message): readonly Pick<KeyRecord, 'module' | 'key'>[] =>
  forms.map(({ key }) => ({ module, key }))

/** Returns the record of a key; an empty one for a plural form that does not exist yet. */
export const recordOf = (
  rows: ReadonlyMap<string, KeyRecord>,
  key: Pick<KeyRecord, 'module' | 'key'>,
): KeyRecord => rows.get(idOf(key)) ?? newRow(key)
