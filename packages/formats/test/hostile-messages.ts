import fc from 'fast-check'
import { type FormatName, type Message, readTranslations, writeTranslations } from '../src/index.ts'

export const languages = ['en-US', 'de-DE', 'pl-PL', 'ar-EG', 'ja-JP']
export const sourceLanguage = 'en-US'

/** Parts of texts that some format gives a meaning. */
export const hostileParts = [
  ['"', "'", '\\', '\\n', '\\u0041', '\n', '\r', '\r\n', '\t', ' ', '  ', '\u00a0', '\u2028'],
  ['<b>', '</b>', '&', '&amp;', '&lt;', ']]>', '<!--', '-->', '<![CDATA[', '<?xml?>', '%', '%s'],
  ['%1$s', '%@', '%#@n@', '{{name}}', '{name}', '{count, plural, one {x} other {y}}', '#', '#~'],
  ['=1+1', '+', '-', '@', '@string/x', '?', ',', ';', '|', ':', ': ', '- ', '/* */', '//', '*/'],
  ['null', 'true', '1.0', '0x1', '~', '<<', '!', '*a', '&a', 'yes', '2024-01-01', '_x0041_'],
  ['é', '😀', 'שלום', '\u202e', '\ufeff', '\u0085', 'ß', 'e\u0301', '\\', "'=", 'msgid ""'],
].flat()
export const controls = ['\u0001', '\u0007', '\b', '\f', '\u001f', '\ufffe']

export const textOf = (parts: readonly string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'grapheme', maxLength: 6 })), {
      minLength: 1,
      maxLength: 5,
    })
    .map((found) => found.join('').replaceAll('\0', ''))
    .filter((text) => text !== '')

export const nameOf = fc
  .tuple(
    fc.constantFrom(
      'SIGN_IN',
      'cart.title',
      '__proto__',
      'constructor',
      'toString',
      'a',
      '_1',
      '7',
    ),
    fc.stringMatching(/^[A-Za-z_][A-Za-z\d_]{0,8}$/),
  )
  .map(([first, second]) => `${first}_${second}`)
  .filter((name) => !/_(?:zero|one|two|few|many|other|ordinal)$/.test(name))

/** Messages with names that every format can have, some with plural forms. */
export const messagesOf = (parts: readonly string[], count: number) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('common', 'shop_cart'), nameOf), {
      selector: ([module, key]) => `${module}/${key}`,
      minLength: count,
      maxLength: count,
    })
    .chain((names) =>
      fc
        .array(
          fc.record({
            isPlural: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
            texts: fc.array(fc.option(textOf(parts), { nil: undefined }), {
              minLength: languages.length,
              maxLength: languages.length,
            }),
            forms: fc.array(textOf(parts), { minLength: 3, maxLength: 3 }),
          }),
          { minLength: count, maxLength: count },
        )
        .map((contents) =>
          contents.flatMap(({ isPlural, texts, forms }, index): readonly Message[] => {
            const [module, key] = names[index]!
            const byLanguage = (add: string) =>
              new Map(
                languages.flatMap((language, at) => {
                  const text = texts[at]
                  return text === undefined ? [] : [[language, text + add] as const]
                }),
              )
            // Android and others begin names with a letter.
            const name = /^\d/.test(key) ? `n${key}` : key
            if (!isPlural) return [{ module, key: name, texts: byLanguage('') }]
            return ['one', 'few', 'other'].map((category, at) => ({
              module,
              key: `${name}_${category}`,
              texts: byLanguage(forms[at]!),
            }))
          }),
        ),
    )

const idOf = (module: string | undefined, key: string, language: string | undefined) =>
  JSON.stringify([module, key, language])

/** Returns the texts of messages by module, key and language. */
export const textsOf = (messages: readonly Message[]): ReadonlyMap<string, string> =>
  new Map(
    messages.flatMap(({ module, key, texts }) =>
      [...texts].map(([language, text]) => [idOf(module, key, language), text] as const),
    ),
  )

/** Writes messages, and returns the texts that a reader finds in the files. */
export async function roundTrip(
  format: FormatName,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, string>> {
  const files = await writeTranslations(format, { messages, languages, sourceLanguage })
  const found = new Map<string, string>()
  for (const { path, content } of files) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    for (const { entries } of await readTranslations({ path, bytes }, { languages })) {
      for (const { module, key, language, value } of entries) {
        // The folder of the source language of Android has no name.
        const code = language ?? (format === 'android' ? sourceLanguage : undefined)
        const known = languages.find((one) => one.replaceAll('-', '_') === code) ?? code
        if (value !== '') found.set(idOf(module, key, known), value)
      }
    }
  }
  return found
}
