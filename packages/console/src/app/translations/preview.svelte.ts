import {
  type KeyGroup,
  parametersOfTranslation,
  type ParameterType,
  type ParseOptions,
  parseTranslation,
  type Translation,
} from '@servicekit/catalog/inspection'
import { pluralForms } from '@servicekit/core'
import type { KeyRecord } from '../state/records.ts'
import { findError, type MessageError } from './find-error.ts'
import { groupOf, siblingsOf } from './key-group.ts'
import { type NoPlural, shownText, valueOf } from './key-values.ts'
import { type Rendered, renderMessage } from './render-message.ts'

/** Options of the application that decide how it shows a message. */
type PreviewOptions = ParseOptions & { readonly noPlural?: NoPlural }

interface PreviewInput {
  readonly row: KeyRecord | undefined
  /** All keys of the project, among them the other plural forms of the message. */
  readonly rows: readonly KeyRecord[]
  readonly languages: readonly string[]
  /** Translations of `row` that are edited and not saved yet, by language. */
  readonly edited: Readonly<Record<string, string>>
  /** Options of the application; undefined without a manifest of its build. */
  readonly options: PreviewOptions | undefined
}

/** Value of an input for a parameter. */
type InputValue = string | number | boolean

/** Without a manifest, tags of all kinds are shown as elements. */
const defaultOptions: PreviewOptions = {
  syntax: 'double-brace',
  markup: { framework: 'react', selfClosing: true, numbered: true },
}

/** Creates the preview of a message. Call it while a component is initialised. */
export function createPreview(input: () => PreviewInput) {
  let chosen = $state.raw<Readonly<Record<string, InputValue>>>({})
  const options = $derived(input().options ?? defaultOptions)
  const siblings = $derived.by(() => {
    const { row, rows } = input()
    return row ? siblingsOf(row, rows) : []
  })
  const group = $derived.by((): KeyGroup => {
    const { row } = input()
    return groupOf(row ?? { module: '', key: '' }, siblings, options.noPlural)
  })
  const ownForm = $derived.by((): string | undefined => {
    const key = input().row?.key
    const category = [...(group.plural ?? [])].find(([, one]) => one === key)?.[0]
    return category && (group.ordinal ? `ordinal_${category}` : category)
  })
  const textIn = (one: KeyRecord, language: string): string => {
    const { row, edited } = input()
    const own = one.key === row?.key ? edited[language] : undefined
    return own ?? shownText(valueOf(one, language))
  }
  const translations = $derived.by((): ReadonlyMap<string, Translation | undefined> => {
    const parse = (language: string) => {
      const texts = new Map(siblings.map((one) => [one.key, textIn(one, language)]))
      return parseTranslation(texts, group, language, options)
    }
    return new Map(input().languages.map((language) => [language, parse(language)]))
  })
  const types = $derived.by((): ReadonlyMap<string, ParameterType> => {
    const found = new Map<string, ParameterType>(group.plural ? [['count', 'number']] : [])
    for (const translation of translations.values()) {
      if (!translation) continue
      for (const [name, type] of parametersOfTranslation(translation, group.plural !== undefined)) {
        if (type !== 'value' || !found.has(name)) found.set(name, type)
      }
    }
    return found
  })
  /** A number for each plural form of any of the languages. */
  const examples = $derived.by((): readonly number[] => {
    const numbers = input().languages.flatMap((language) =>
      [...pluralForms(language)].flatMap(([name, samples]) =>
        name.startsWith('ordinal_') === group.ordinal ? samples.slice(0, 1) : [],
      ),
    )
    return [...new Set(numbers)].sort((a, b) => a - b)
  })
  const initial = (name: string, type: ParameterType): InputValue => {
    if (type === 'number') {
      const samples = input().languages.map(
        (language) => pluralForms(language).get(ownForm ?? '')?.[0],
      )
      return samples.find((sample) => sample !== undefined) ?? 3
    }
    if (type === 'date') return new Date().toISOString().slice(0, 10)
    if (type === 'list') return 'A, B, C'
    return type === 'flag' ? true : name
  }
  const valueFor = (name: string): InputValue =>
    chosen[name] ?? initial(name, types.get(name) ?? 'value')
  const argumentsOf = () =>
    Object.fromEntries([...types].map(([name, type]) => [name, toArgument(valueFor(name), type)]))
  return {
    /** Key of the message: the common part of its plural forms. */
    get key() {
      return group.key
    },
    /** Plural form of the key, such as `ordinal_one`; undefined if it is a message of its own. */
    get form() {
      return ownForm
    },
    /** Parameters of the message with their types. */
    get types() {
      return types
    },
    get examples() {
      return examples
    },
    valueFor,
    set: (name: string, value: InputValue): void => {
      chosen = { ...chosen, [name]: value }
    },
    /** Returns what an application shows; undefined if it is the text itself, or missing. */
    render: (language: string): Rendered | undefined => {
      const translation = translations.get(language)
      if (!translation || (types.size === 0 && !translation.tags)) return undefined
      return renderMessage(translation, argumentsOf(), group.ordinal)
    },
    /** Returns the error of the translation in a language. */
    errorIn: (language: string): MessageError | undefined => {
      const { row } = input()
      if (!row) return undefined
      const text = textIn(row, language)
      const { tagError } = translations.get(language) ?? {}
      return findError(text, options, tagError)
    },
  }
}

export type Preview = ReturnType<typeof createPreview>

function toArgument(value: InputValue, type: ParameterType): unknown {
  if (type === 'number') return Number(value)
  if (type === 'flag') return value === true
  if (type === 'list') return String(value).split(/\s*,\s*/)
  if (type !== 'date') return String(value)
  const date = new Date(`${value}T12:00`)
  return Number.isNaN(date.getTime()) ? new Date() : date
}
