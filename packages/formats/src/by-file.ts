import { byCodePoint } from '@servicekit/core'
import type { Message, WriteInput } from './entry.ts'

/** Texts of one module in one language. */
export interface ModuleTexts {
  readonly module: string
  readonly language: string
  /** Texts by key, in the order of the keys. */
  readonly texts: ReadonlyMap<string, string>
  /** Messages of the module by key, also those without a text in this language. */
  readonly messages: ReadonlyMap<string, Message>
}

/** Groups messages by module, in the order of their names. */
export function byModule(
  messages: readonly Message[],
): ReadonlyMap<string, ReadonlyMap<string, Message>> {
  const sorted = messages.toSorted(
    (a, b) => byCodePoint(a.module, b.module) || byCodePoint(a.key, b.key),
  )
  const modules = new Map<string, Map<string, Message>>()
  for (const message of sorted) {
    const own = modules.get(message.module) ?? new Map<string, Message>()
    modules.set(message.module, own.set(message.key, message))
  }
  return modules
}

/** Returns the texts of each module in each language that has any. */
export function byModuleAndLanguage({ messages, languages }: WriteInput): readonly ModuleTexts[] {
  return [...byModule(messages)].flatMap(([module, own]) =>
    languages.flatMap((language) => {
      const texts = new Map<string, string>()
      for (const [key, message] of own) {
        const text = message.texts.get(language)
        if (text !== undefined && text !== '') texts.set(key, text)
      }
      return texts.size === 0 ? [] : [{ module, language, texts, messages: own }]
    }),
  )
}
