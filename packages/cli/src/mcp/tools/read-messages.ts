import { z } from 'zod'
import { rejectUnknown } from '../reject-unknown.ts'
import { defineTool } from '../tool.ts'
import { describeMessage, keysOfMessage, languagesOf, messageShape } from './message-shape.ts'

/** Reads messages with their translations. */
export const readMessages = defineTool({
  name: 'read_messages',
  title: 'Read messages in all languages',
  description:
    'Reads the messages of keys with their texts in all languages, their parameters, tags and notes for translators. A language without translation is null.',
  input: z.strictObject({
    module: z.string(),
    keys: z.array(z.string()).min(1).max(50),
    languages: z.array(z.string()).min(1).optional().describe('Default: all'),
  }),
  output: z.object({
    defaultLanguage: z.string(),
    messages: z.array(
      z.object({
        ...messageShape,
        context: z.string().optional().describe('Note for translators'),
        maxLength: z.int().optional().describe('Maximum number of characters'),
        translations: z
          .record(z.string(), z.record(z.string(), z.string()).nullable())
          .describe('Texts by language and key; a plural has a key for each form'),
      }),
    ),
  }),
  async run({ module, keys, languages }, context) {
    const model = await context.loadModel()
    rejectUnknown(
      'module',
      module,
      model.modules.map(({ name }) => name),
    )
    const { messages, source } = model.modules.find(({ name }) => name === module)!
    const known = languagesOf(model)
    for (const language of languages ?? []) rejectUnknown('language', language, known)
    const found = keys.map((key) => {
      const message = messages.find((one) => one.key === key || keysOfMessage(one).includes(key))
      if (!message)
        rejectUnknown(
          'key',
          key,
          messages.map((one) => one.key),
        )
      return message!
    })
    const { defaultLanguage, details } = model.catalog
    return {
      defaultLanguage,
      messages: [...new Set(found)].map((message) => {
        const { context: note, maxLength } = details?.get(module)?.get(message.key) ?? {}
        const translations = (languages ?? known).map((language) => {
          const texts = source.translations.get(language)
          const entries = keysOfMessage(message).flatMap((key): [string, string][] => {
            const text = texts?.get(key)
            return text ? [[key, text]] : []
          })
          return [language, entries.length === 0 ? null : Object.fromEntries(entries)] as const
        })
        return {
          ...describeMessage(module, message),
          ...(note !== undefined && { context: note }),
          ...(maxLength !== undefined && { maxLength }),
          translations: Object.fromEntries(translations),
        }
      }),
    }
  },
})
