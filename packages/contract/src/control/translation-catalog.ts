import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import type { DeepReadonly } from './values.ts'

export const LanguageRecord = z.object({
  itemId: z.string(),
  languageCode: z.string(),
  languageName: z.string(),
  isDefault: z.boolean(),
  isDraft: z.boolean(),
  written: z.int().describe('Number of served translations'),
  keys: z.int(),
})
export type LanguageRecord = DeepReadonly<z.infer<typeof LanguageRecord>>

/** Language to add. It is not served until it is published. */
export const NewLanguage = z.strictObject({
  languageCode: z.string(),
  languageName: z.string().optional(),
  isDefault: z.boolean().optional(),
})
export type NewLanguage = z.infer<typeof NewLanguage>

const Added = z.object({ itemId: z.string() })
const Removed = z.object({ removed: z.string() })

export const listLanguages = defineControl(
  'translations.listLanguages',
  'GET /projects/{project}/languages',
  {
    summary: 'List the languages with their progress, drafts included',
    access: access.readingTranslations,
    result: z.array(LanguageRecord),
  },
)

export const addLanguage = defineControl(
  'translations.addLanguage',
  'POST /projects/{project}/languages',
  {
    summary: 'Add a language as a draft',
    access: access.managingTranslations,
    body: NewLanguage,
    result: Added,
    status: 201,
  },
)

export const changeLanguage = defineControl(
  'translations.changeLanguage',
  'PUT /projects/{project}/languages/{code}',
  {
    summary: 'Rename a language, or make it the default',
    access: access.managingTranslations,
    body: NewLanguage.omit({ languageCode: true }),
    result: z.object({ languageCode: z.string() }),
  },
)

export const removeLanguage = defineControl(
  'translations.removeLanguage',
  'DELETE /projects/{project}/languages/{code}',
  {
    summary: 'Remove a language with its translations at once',
    access: access.managingTranslations,
    result: Removed,
    errors: { 400: 'The project has no such language' },
  },
)

const Counts = z.record(z.string(), z.int())

export const ModuleRecord = z.object({
  itemId: z.string(),
  moduleName: z.string(),
  isDraft: z.boolean(),
  keys: z.int(),
  written: Counts.describe('Number of served translations by language code'),
  unusedForms: Counts.describe(
    'Number of plural forms that a language neither has nor uses, by language code',
  ),
})
export type ModuleRecord = DeepReadonly<z.infer<typeof ModuleRecord>>

export const listModules = defineControl(
  'translations.listModules',
  'GET /projects/{project}/modules',
  {
    summary: 'List the modules with their progress, drafts included',
    access: access.readingTranslations,
    result: z.array(ModuleRecord),
  },
)

export const addModule = defineControl(
  'translations.addModule',
  'POST /projects/{project}/modules',
  {
    summary: 'Add a module as a draft',
    access: access.managingTranslations,
    body: z.strictObject({ moduleName: z.string() }),
    result: Added,
    status: 201,
  },
)

export const changeModule = defineControl(
  'translations.changeModule',
  'PUT /projects/{project}/modules/{name}',
  {
    summary: 'Rename a module at once',
    description: 'Applications that import it need the new name.',
    access: access.managingTranslations,
    body: z.strictObject({ moduleName: z.string() }),
    result: z.object({ moduleName: z.string() }),
    errors: { 400: 'The project has no such module, or one with the new name' },
  },
)

export const removeModule = defineControl(
  'translations.removeModule',
  'DELETE /projects/{project}/modules/{name}',
  {
    summary: 'Remove a module with its translations at once',
    access: access.managingTranslations,
    result: Removed,
    errors: { 400: 'The project has no such module' },
  },
)
