import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { rejectionOutput, translationsInput, validateAll } from '../translation-input.ts'

/** Validates translations without writing. */
export const validateTranslations = defineTool({
  name: 'validate_translations',
  title: 'Validate translations',
  description:
    'Compares translations with their source texts, and writes nothing: placeholders, tags, syntax, maximum length and the forbidden words of the glossary.',
  input: z.strictObject({ translations: translationsInput }),
  output: z.object({ valid: z.int(), rejected: z.array(rejectionOutput) }),
  async run({ translations }, context) {
    const { valid, rejected } = await validateAll(translations, context)
    return { valid: valid.length, rejected: [...rejected] }
  },
})
