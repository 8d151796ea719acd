import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import type { DeepReadonly } from './values.ts'

/**
 * State of the current translation of a key: the draft, or else what is served. It needs a review
 * if the source text, the text in the default language, changed after it was translated or reviewed.
 */
export const TranslationState = z.enum(['untranslated', 'translated', 'needsReview', 'reviewed'])
export type TranslationState = z.infer<typeof TranslationState>

/** States of a key by language code, apart from those that the texts tell. */
export const KeyStates = z
  .record(z.string(), TranslationState.extract(['needsReview', 'reviewed']))
  .describe(
    'State by language code of the translations that are reviewed or need a review; others are translated if they have a text',
  )

const Translation = { module: z.string(), key: z.string(), language: z.string() }

/** State to set, of the text that the client knows. */
export const StateChange = z.strictObject({
  ...Translation,
  state: TranslationState.exclude(['untranslated']),
  expected: z.string().describe('Current text, drafted or else served, that was reviewed'),
  source: z
    .string()
    .describe('Current text in the default language, which the translation was compared with')
    .nullable()
    .optional(),
})
export type StateChange = DeepReadonly<z.infer<typeof StateChange>>

export const setStates = defineControl('translations.setStates', 'PUT /projects/{project}/states', {
  summary: 'Set the states of translations, all or none',
  description:
    'A translation becomes translated when its text changes, and needs a review when the source text changes.',
  access: access.translating,
  body: z.array(StateChange),
  result: z.object({ changed: z.int().describe('Number of translations with another state') }),
  errors: {
    400: 'A translation has no text',
    409: 'A text or its source text has changed',
  },
})

/** Number of the translations of a language by state. Plural forms that it does not use are left out. */
export const LanguageStates = z.object({
  languageCode: z.string(),
  states: z.record(TranslationState, z.int()),
})
export type LanguageStates = DeepReadonly<z.infer<typeof LanguageStates>>

export const countStates = defineControl(
  'translations.countStates',
  'GET /projects/{project}/states',
  {
    summary: 'Count the translations of each language by state, drafts included',
    access: access.readingTranslations,
    result: z.array(LanguageStates),
  },
)

/** Draft that is not published while only reviewed translations are. */
export const WithheldDraft = z.object({
  ...Translation,
  state: TranslationState.extract(['translated', 'needsReview']),
})
export type WithheldDraft = DeepReadonly<z.infer<typeof WithheldDraft>>

export const listWithheldDrafts = defineControl(
  'translations.listWithheldDrafts',
  'GET /projects/{project}/drafts/withheld',
  {
    summary: 'List the drafts that the next publication leaves out, and their states',
    description:
      'Empty unless only reviewed translations are published. Texts in the default language, removed texts and removed keys are always published.',
    access: access.readingTranslations,
    result: z.array(WithheldDraft),
  },
)

export const PublishingOptions = z.strictObject({
  onlyReviewed: z.boolean().describe('Publishes only translations that are reviewed'),
})

export const readPublishing = defineControl(
  'translations.readPublishing',
  'GET /projects/{project}/publishing',
  {
    summary: 'Read the options of publishing',
    access: access.readingTranslations,
    result: PublishingOptions,
  },
)

export const changePublishing = defineControl(
  'translations.changePublishing',
  'PUT /projects/{project}/publishing',
  {
    summary: 'Change the options of publishing',
    access: access.managingTranslations,
    body: PublishingOptions,
    result: PublishingOptions,
  },
)

/** Stored state of a translation in the export of a project, which other translations lack. */
export const StoredState = z.strictObject({
  ...Translation,
  isDraft: z.literal(true).optional(),
  isReviewed: z.literal(true).optional(),
  translatedFrom: z
    .string()
    .describe(
      'Source text of the translation or its review, if it has changed since; empty if somebody set that it needs a review',
    )
    .optional(),
})
export type StoredState = DeepReadonly<z.infer<typeof StoredState>>
