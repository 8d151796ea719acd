import { z } from 'zod'
import { Rejection, UilmError } from './errors.ts'
import { limits } from './limits.ts'
import { access, defineOperation } from './operation.ts'
import * as routes from './routes.ts'

const { min, max } = limits.temperature

/** Request for suggestions (section 4.7). */
export const SuggestionRequest = z
  .object({
    elementType: z.string().min(1).describe('button, label, heading, placeholder, tooltip …'),
    elementApplicationContext: z.string().min(1).describe('Name of the application'),
    elementDetailContext: z.string().min(1).describe('Purpose of the element'),
    temperature: z.number().min(min).max(max).default(limits.temperature.default),
    maxCharacterLength: z
      .int()
      .min(1)
      .nullish()
      .describe('Maximum length of a translation, in characters'),
    sourceText: z.string().min(1),
    destinationLanguage: z.string().min(1),
    currentLanguage: z.string().min(1),
  })
  .meta({ id: 'SuggestionRequest' })
export type SuggestionRequest = z.input<typeof SuggestionRequest>

/** One suggested translation. */
export const Suggestion = z
  .looseObject({
    translation: z.string(),
    confidence: z.number(),
    characterCount: z.int(),
    explanation: z.string(),
    alternativePhrasings: z.array(z.string()),
  })
  .meta({ id: 'Suggestion' })
export type Suggestion = z.infer<typeof Suggestion>

/** List of suggestions. Some instances return `{"content": "…"}`, which is a single suggestion. */
export const Suggestions = z
  .looseObject({
    suggestions: z.array(Suggestion).optional(),
    contextAnalysis: z
      .looseObject({
        elementType: z.string(),
        applicationContext: z.string(),
        recommendedStyle: z.string(),
        culturalNotes: z.string(),
      })
      .nullish(),
    content: z.string().optional(),
  })
  .meta({ id: 'Suggestions' })
export type Suggestions = z.infer<typeof Suggestions>

export const suggest = defineOperation(routes.translationSuggest, {
  section: '4.7',
  summary: 'Suggest translations of a source text',
  access: access.key,
  body: SuggestionRequest,
  responses: {
    200: { description: 'The suggestions, the best first', schema: Suggestions },
    400: { description: 'Fields missing or invalid', schema: UilmError },
    401: { description: 'Project key missing or invalid, or token invalid', schema: UilmError },
    429: { description: 'Too many suggestions for one IP address', schema: Rejection },
  },
})
