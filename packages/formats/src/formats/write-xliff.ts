import { fileNameOf } from '@servicekit/core'
import { byModule } from '../by-file.ts'
import type { Message, OutputFile, WriteInput } from '../entry.ts'
import { unsupportedMessage } from '../format-errors.ts'
import { escapeAttribute, escapeText, unprintableIn } from '../xml.ts'

/**
 * Writes XLIFF 1.2: a file for each language, and in it a part for each module.
 *
 * @throws ServicekitError EMIT_FAILED for a character that XML cannot contain.
 */
export const writeXliff1 = (input: WriteInput): readonly OutputFile[] =>
  targetsOf(input).map((target) => {
    const source = input.sourceLanguage
    const files = [...byModule(input.messages)].map(([module, own]) => {
      const units = [...own.values()].map((message) => printUnit1(message, source, target))
      return [
        `  <file original="${attributeOf(message(own), module)}" datatype="plaintext" source-language="${source}"${target === undefined ? '' : ` target-language="${target}"`}>`,
        '    <body>',
        ...units,
        '    </body>',
        '  </file>',
      ].join('\n')
    })
    const head =
      '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
    return {
      path: `${fileNameOf(target ?? source)}.xlf`,
      content: `${head}${files.join('\n')}\n</xliff>\n`,
    }
  })

const states1 = {
  translated: 'translated',
  reviewed: 'signed-off',
  needsReview: 'needs-review-translation',
} as const

const states2 = { translated: 'translated', reviewed: 'reviewed', needsReview: 'initial' } as const

function printUnit1(unit: Message, source: string, target: string | undefined): string {
  const { key, context, maxLength, texts, states } = unit
  const reviewed = target !== undefined && states?.get(target) === 'reviewed'
  const name = attributeOf(unit, key)
  const limit = maxLength === undefined ? '' : ` maxwidth="${maxLength}" size-unit="char"`
  const text = (language: string): string => textOf(unit, texts.get(language) ?? '', language)
  const lines = [
    `      <trans-unit id="${name}" resname="${name}"${reviewed ? ' approved="yes"' : ''}${limit} xml:space="preserve">`,
    `        <source>${text(source)}</source>`,
  ]
  if (target !== undefined && texts.get(target)) {
    const state = states1[states?.get(target) ?? 'translated']
    lines.push(`        <target state="${state}">${text(target)}</target>`)
  }
  if (context) lines.push(`        <note>${textOf(unit, context)}</note>`)
  return [...lines, '      </trans-unit>'].join('\n')
}

/**
 * Writes XLIFF 2.0: a file for each language, and in it a part for each module. Characters that XML
 * cannot contain are written as `cp` elements.
 *
 * @throws ServicekitError EMIT_FAILED for a name or note with a character that XML cannot contain.
 */
export const writeXliff2 = (input: WriteInput): readonly OutputFile[] =>
  targetsOf(input).map((target) => {
    const source = input.sourceLanguage
    const files = [...byModule(input.messages)].map(([module, own], index) => {
      const original = attributeOf(message(own), module)
      const units = [...own.values()].map((unit, unitIndex) =>
        printUnit2(unit, `u${unitIndex + 1}`, source, target),
      )
      return `  <file id="f${index + 1}" original="${original}">\n${units.join('\n')}\n  </file>`
    })
    const trgLang = target === undefined ? '' : ` trgLang="${target}"`
    const head = `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="${source}"${trgLang}>\n`
    return {
      path: `${fileNameOf(target ?? source)}.xlf`,
      content: `${head}${files.join('\n')}\n</xliff>\n`,
    }
  })

function printUnit2(unit: Message, id: string, source: string, target: string | undefined): string {
  const { key, context, texts, states } = unit
  const translation = target === undefined ? undefined : texts.get(target)
  const name = states2[(target !== undefined && states?.get(target)) || 'translated']
  const state = translation ? ` state="${name}"` : ''
  const lines = [`    <unit id="${id}" name="${attributeOf(unit, key)}" xml:space="preserve">`]
  if (context) lines.push(`      <notes><note>${textOf(unit, context)}</note></notes>`)
  lines.push(
    `      <segment${state}>`,
    `        <source>${textWithCodes(texts.get(source) ?? '')}</source>`,
  )
  if (translation) lines.push(`        <target>${textWithCodes(translation)}</target>`)
  return [...lines, '      </segment>', '    </unit>'].join('\n')
}

/** Languages that have a file of their own; undefined if there is only the source language. */
const targetsOf = ({ languages, sourceLanguage }: WriteInput): readonly (string | undefined)[] => {
  const targets = languages.filter((language) => language !== sourceLanguage)
  return targets.length === 0 ? [undefined] : targets
}

const message = (own: ReadonlyMap<string, Message>): Message => [...own.values()][0]!

function attributeOf(unit: Message, text: string): string {
  rejectUnprintable(unit, text)
  return escapeAttribute(text)
}

function textOf(unit: Message, text: string, language?: string): string {
  rejectUnprintable(unit, text, language)
  return escapeText(text)
}

function rejectUnprintable({ module, key }: Message, text: string, language?: string): void {
  const character = unprintableIn(text)
  if (character === undefined) return
  const place = { module, key, ...(language === undefined ? {} : { language }) }
  throw unsupportedMessage('XLIFF', place, `XML has no form for the character ${character}`)
}

const unprintable = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g

const textWithCodes = (text: string): string =>
  escapeText(text).replaceAll(
    unprintable,
    (character) =>
      `<cp hex="${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}"/>`,
  )
