import { ConfigError } from '@servicekit/client'
import { formatCount } from '@servicekit/core'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { translationsInput, validateAll } from '../translation-input.ts'

/** Writes translations as drafts. */
export const draftTranslations = defineTool({
  name: 'draft_translations',
  title: 'Draft translations',
  description:
    'Saves translations as drafts for review; publishes nothing. Saves none if one has other placeholders or tags than its source text. A draft that exists is kept, unless replace is true.',
  writes: true,
  usesNetwork: true,
  input: z.strictObject({
    translations: translationsInput,
    replace: z.boolean().default(false).describe('Replace drafts that exist'),
  }),
  output: z.object({
    target: z.string().describe('Where the drafts are'),
    written: z.int(),
    kept: z
      .array(z.object({ module: z.string(), key: z.string(), language: z.string() }))
      .describe('Drafts that existed, and were not changed'),
  }),
  async run({ translations, replace }, context) {
    const { valid, rejected } = await validateAll(translations, context)
    if (rejected.length > 0) {
      const count = formatCount(rejected.length, 'translation')
      throw new ConfigError(`${count} cannot be used; nothing was saved`, {
        details: Object.fromEntries(
          rejected.map(({ module, key, language, reason }) => [
            `${module} ${key} (${language})`,
            reason,
          ]),
        ),
        help: 'Correct these, and send all again.',
      })
    }
    const target = context.openDrafts()
    const drafted = await target.list()
    const isDrafted = ({ module, key, language }: (typeof valid)[number]): boolean =>
      drafted.has(JSON.stringify([module, key, language]))
    const kept = replace ? [] : valid.filter(isDrafted)
    const fresh = valid.filter((one) => !kept.includes(one))
    if (fresh.length > 0) {
      await target.write(fresh.map((one) => ({ ...one, confidence: undefined })))
    }
    return {
      target: target.name,
      written: fresh.length,
      kept: kept.map(({ module, key, language }) => ({ module, key, language })),
    }
  },
})
