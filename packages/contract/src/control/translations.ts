import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { NewLanguage } from './translation-catalog.ts'
import { KeyStates, StateChange, TranslationState, WithheldDraft } from './translation-states.ts'
import { type DeepReadonly, flag, integer, time } from './values.ts'

export * from './translation-catalog.ts'

/** Details of a key for translators. */
export const KeyDetails = z.strictObject({
  context: z.string().optional(),
  maxLength: z.int().positive().optional(),
  usedIn: z.array(z.string()).optional(),
})
export type KeyDetails = DeepReadonly<z.infer<typeof KeyDetails>>

/** Translation to set. Null is stored and served as null. */
export const TranslationEdit = z.strictObject({
  module: z.string(),
  key: z.string(),
  language: z.string(),
  value: z.string().nullable(),
})
export type TranslationEdit = DeepReadonly<z.infer<typeof TranslationEdit>>

const KeyChange = z.strictObject({
  module: z.string(),
  key: z.string(),
  expected: z
    .record(z.string(), z.string().nullable())
    .describe('Current drafts by language that the change replaces; null if they remove the key')
    .nullable()
    .optional(),
})

const DraftedTranslation = TranslationEdit.extend({
  details: KeyDetails.optional(),
  expected: z
    .string()
    .describe('Current value, drafted or else served, on which the draft is based')
    .nullable()
    .optional(),
})
const Removal = KeyChange.extend({ isRemoved: z.literal(true) })

/** Translation that is not served yet, pending removal of a key, or discarding of its drafts. */
export const DraftChange = z.union([
  DraftedTranslation,
  Removal,
  KeyChange.extend({ isDiscarded: z.literal(true) }),
])
export type DraftChange = DeepReadonly<z.infer<typeof DraftChange>>

/** Draft: a translation that is not served yet, or the pending removal of a key. */
export const Draft = z.union([
  TranslationEdit.extend({ details: KeyDetails.optional() }),
  z.strictObject({ module: z.string(), key: z.string(), isRemoved: z.literal(true) }),
])
export type Draft = DeepReadonly<z.infer<typeof Draft>>

const Publication = z.object({ changedModules: z.array(z.string()) })
const DraftsPublication = Publication.extend({
  withheld: z
    .int()
    .describe('Number of drafts that stay, because they are not selected or not reviewed'),
})

export const setTexts = defineControl('translations.set', 'PUT /projects/{project}/texts', {
  summary: 'Set translations, all or none, and publish them at once',
  access: access.operator,
  body: z.array(TranslationEdit),
  result: Publication,
})

const Values = z.record(z.string(), z.string().nullable())

export const KeyRecord = z.object({
  module: z.string(),
  key: z.string(),
  texts: Values.describe('Served translations by language code'),
  drafts: Values.describe('Drafted translations by language code'),
  states: KeyStates,
  isRemoved: z.boolean().describe('True if the next publication removes the key'),
  details: KeyDetails.optional(),
})
export type KeyRecord = DeepReadonly<z.infer<typeof KeyRecord>>

const maxPageSize = 1000

export const listKeys = defineControl('translations.listKeys', 'GET /projects/{project}/keys', {
  summary: 'List keys with their translations and drafts, by module and key',
  access: access.readingTranslations,
  query: z.object({
    module: z.string().optional(),
    key: z.string().optional().describe('The whole key'),
    search: z.string().optional().describe('Part of a key or of any of its translations'),
    missing: z.string().optional().describe('Language in which the keys have no translation'),
    page: integer(0, 1).describe('The first page is 1'),
    pageSize: integer(0, 50, maxPageSize),
  }),
  result: z.object({ totalCount: z.int(), items: z.array(KeyRecord) }),
})

export const listDrafts = defineControl(
  'translations.listDrafts',
  'GET /projects/{project}/drafts',
  {
    summary: 'List the drafts of translations and removals',
    access: access.readingTranslations,
    result: z.array(Draft),
  },
)

export const saveDrafts = defineControl(
  'translations.saveDrafts',
  'PUT /projects/{project}/drafts',
  {
    summary: 'Save drafts, all or none',
    description: 'A change with `expected` is refused if the value is no longer current.',
    access: access.translating,
    query: z.object({ create: flag.describe('Refuses translations of keys that exist') }),
    body: z.array(DraftChange),
    result: z.object({
      saved: z.int(),
      states: z.array(KeyRecord.pick({ module: true, key: true, states: true })),
    }),
    errors: { 409: 'A key exists, or a value has changed' },
  },
)

/** Key that a query names, with its module. */
const OneKey = { module: z.string().optional(), key: z.string().optional() }

export const discardDrafts = defineControl(
  'translations.discardDrafts',
  'DELETE /projects/{project}/drafts',
  {
    summary: 'Discard the drafts of one key, or all',
    access: access.managingTranslations,
    query: z.object(OneKey),
    result: z.object({ discarded: z.int() }),
  },
)

/** Problem of a message that the drafts change, as it is after publishing. */
export const DraftProblem = z.object({
  rule: z
    .enum(['parameter', 'tag', 'plural', 'syntax', 'length', 'copy', 'spacing'])
    .describe('Rule of `servicekit check`'),
  severity: z.enum(['error', 'warning', 'info']),
  module: z.string(),
  key: z.string().describe('Key of the message; of a plural without the suffix of a form'),
  keys: z.array(z.string()).describe('Keys that the problem concerns'),
  language: z.string(),
  message: z.string(),
  isRefused: z.boolean().describe('True if applications show a fallback of the translation'),
})
export type DraftProblem = DeepReadonly<z.infer<typeof DraftProblem>>

export const listDraftProblems = defineControl(
  'translations.listDraftProblems',
  'GET /projects/{project}/drafts/problems',
  {
    summary: 'List the problems of the messages that the drafts change',
    description: 'Errors are those that `POST …/publish` refuses without a reason.',
    access: access.readingTranslations,
    result: z.array(DraftProblem),
  },
)

const Key = z.strictObject({ module: z.string(), key: z.string() })

/** Drafts to publish: those that meet every condition. */
export const PublishSelection = z.strictObject({
  languages: z.array(z.string()).min(1).describe('Codes of the languages').optional(),
  modules: z.array(z.string()).min(1).optional(),
  states: z
    .array(TranslationState)
    .min(1)
    .describe('States of the drafts; a draft without text is untranslated')
    .optional(),
  keys: z.array(Key).min(1).max(20_000).optional(),
})
export type PublishSelection = DeepReadonly<z.infer<typeof PublishSelection>>

/** Person or program that saved a draft. */
export const DraftAuthor = z.object({
  module: z.string(),
  key: z.string(),
  language: z.string().describe('Null for the removal of the key').nullable(),
  actor: z.string().describe('Null for a draft that was not saved here').nullable(),
  author: z.string().describe('Name of the author, if it is a user that still exists').nullable(),
})
export type DraftAuthor = DeepReadonly<z.infer<typeof DraftAuthor>>

export const previewPublication = defineControl(
  'translations.previewPublication',
  'POST /projects/{project}/publish/preview',
  {
    summary: 'Show what a publication would publish, with its authors and problems',
    access: access.managingTranslations,
    effect: 'read',
    body: z.strictObject({ selection: PublishSelection.optional() }),
    result: z.object({
      drafts: z.array(Draft).describe('Selected drafts, with those that are left out'),
      authors: z.array(DraftAuthor).describe('Authors of the drafts, in the same order'),
      problems: z.array(DraftProblem).describe('Problems of messages after the publication'),
      withheld: z
        .array(WithheldDraft)
        .describe('Selected drafts that are left out, because they are not reviewed'),
    }),
  },
)

export const publish = defineControl('translations.publish', 'POST /projects/{project}/publish', {
  summary: 'Publish drafts, all or those of a selection',
  description:
    'Messages with errors are refused unless a reason is given. Translations that are not reviewed stay drafts if the project publishes only reviewed ones. Languages and modules are published with all drafts, or with their first translation. A removal of a key belongs to no language and has no state.',
  access: access.managingTranslations,
  body: z
    .strictObject({
      selection: PublishSelection.optional(),
      drafts: z.array(DraftChange).describe('Selected drafts that the client knows').optional(),
      reason: z
        .string()
        .regex(/\S/)
        .max(1000)
        .describe('Reason to publish messages with errors; the history records it')
        .optional(),
    })
    .optional(),
  result: DraftsPublication,
  errors: {
    409: 'There are other drafts than those that the client knows',
    422: 'The messages have errors, and no reason is given',
  },
})

/** Change of a served translation or of a state. The values are null where there was or is none. */
export const TextChange = z.object({
  at: time,
  actor: z.string(),
  email: z.string().nullable(),
  module: z.string(),
  key: z.string(),
  language: z.string(),
  previous: z.string().nullable(),
  value: z.string().nullable(),
  reason: z.string().nullable(),
  state: TranslationState.nullable().describe('State that was set; the text did not change'),
})
export type TextChange = DeepReadonly<z.infer<typeof TextChange>>

export const readHistory = defineControl(
  'translations.readHistory',
  'GET /projects/{project}/history',
  {
    summary: 'List the last changes of served translations and of states, the newest first',
    access: access.readingTranslations,
    query: z.object({ ...OneKey, limit: integer(0, 100, maxPageSize) }),
    result: z.array(TextChange),
  },
)

/** Body limit of an import of translations. 20,000 keys in 10 languages are about 40 MB. */
export const maxTranslationsBytes = 256 * 1024 * 1024

/** Translations with the languages and modules that they need and that do not exist yet. */
export const TranslationsImport = z.strictObject({
  languages: z.array(NewLanguage).default([]),
  modules: z.array(z.string()).default([]),
  drafts: z.array(DraftChange),
  states: z.array(StateChange).describe('States of the texts after the import').default([]),
})

export const importTranslations = defineControl(
  'translations.import',
  'POST /projects/{project}/imports',
  {
    summary: 'Save imported translations as drafts, with new languages and modules, all or none',
    access: access.managingTranslations,
    body: TranslationsImport,
    result: z.object({ saved: z.int() }),
    errors: { 409: 'A value has changed' },
  },
)
