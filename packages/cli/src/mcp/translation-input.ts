import type { Model } from '@servicekit/catalog'
import type { TranslationInput } from '@servicekit/check'
import { z } from 'zod'
import { isKnownError } from '../exit-codes.ts'
import type { McpContext } from './context.ts'

/** Translations that a tool receives. */
export const translationsInput = z
  .array(
    z.strictObject({
      module: z.string(),
      key: z.string().describe('Key; of a plural that of a form, e.g. ITEMS_other'),
      language: z.string().describe('Language code, e.g. de-DE'),
      value: z.string().describe('Translation with the placeholders and tags of the source text'),
    }),
  )
  .min(1)
  .max(100)

/** Translation that was rejected. */
export const rejectionOutput = z.object({
  module: z.string(),
  key: z.string(),
  language: z.string(),
  value: z.string(),
  reason: z.string(),
})

/** Translations with the reason of each that cannot be used. */
export interface Validated {
  readonly model: Model
  readonly valid: readonly TranslationInput[]
  readonly rejected: readonly (TranslationInput & { readonly reason: string })[]
}

/** Validates translations against the source texts, the maximum lengths and the glossary. */
export async function validateAll(
  translations: readonly TranslationInput[],
  context: McpContext,
): Promise<Validated> {
  const { validateTranslation } = context.options.packages.checker
  const [model, glossary] = await Promise.all([context.loadModel(), context.readGlossary()])
  const reasonFor = (one: TranslationInput): string | undefined => {
    try {
      return validateTranslation(model, one, glossary)
    } catch (error) {
      if (isKnownError(error)) return error.message.replaceAll('\n', ' ')
      throw error
    }
  }
  const results = translations.map((one) => ({ one, reason: reasonFor(one) }))
  return {
    model,
    valid: results.flatMap(({ one, reason }) => (reason === undefined ? [one] : [])),
    rejected: results.flatMap(({ one, reason }) =>
      reason === undefined ? [] : [{ ...one, reason }],
    ),
  }
}
