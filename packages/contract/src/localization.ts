import { z } from 'zod'
import { access, defineOperation, type OperationParts, rejections } from './operation.ts'
import { Rejection, UilmError } from './errors.ts'
import { limits } from './limits.ts'
import * as routes from './routes.ts'

/** Language of a project (section 2.4). */
export const Language = z
  .object({
    itemId: z.string(),
    languageName: z.string(),
    languageCode: z.string().describe('Locale code such as de-DE'),
    isDefault: z
      .boolean()
      .describe('Default language; if several are marked, the first one applies'),
    projectKey: z.string().nullable(),
  })
  .meta({ id: 'Language' })
export type Language = z.infer<typeof Language>

/**
 * Language, as some instances of the localization family return it: the code is in
 * `languageCode`, `code` or `culture`.
 */
export const LooseLanguage = z
  .looseObject({
    itemId: z.string().optional(),
    languageName: z.string().optional(),
    languageCode: z.string().optional(),
    code: z.string().optional(),
    culture: z.string().optional(),
    isDefault: z.boolean().optional(),
    projectKey: z.string().nullable().optional(),
  })
  .meta({ id: 'LooseLanguage' })
export type LooseLanguage = z.infer<typeof LooseLanguage>

/** Language list of the localization family: an array, or an object that contains one. */
export const LanguageList = z
  .union([
    z.array(LooseLanguage),
    z.object({ items: z.array(LooseLanguage) }),
    z.object({ data: z.array(LooseLanguage) }),
  ])
  .meta({ id: 'LanguageList' })
export type LanguageList = z.infer<typeof LanguageList>

/** UILM module of a project (not in the interface; most instances return it). */
export const Module = z
  .object({ itemId: z.string(), moduleName: z.string() })
  .meta({ id: 'Module' })
export type Module = z.infer<typeof Module>

/**
 * Translation file (section 2.5): a flat object from key to translation. A missing
 * translation is `[ KEY MISSING ]`, null or an empty string. Only the file of the language
 * `key` may be nested, for dotted keys.
 *
 * ```json
 * {"SIGN_IN": "Anmelden", "WELCOME": "Hallo {{name}}", "TERMS": null}
 * ```
 */
export const UilmFile = z.record(z.string(), z.unknown()).meta({ id: 'UilmFile' })
export type UilmFile = z.infer<typeof UilmFile>

const projectQuery = z.object({ ProjectKey: z.string().min(1) })

export const UilmFileQuery = z.object({
  Language: z.string().min(1).describe('Language-region code such as de-DE, or `key`'),
  ModuleName: z.string().min(1),
  ProjectKey: z.string().min(1).max(limits.projectKeyLength),
})
export type UilmFileQuery = z.infer<typeof UilmFileQuery>

const file = {
  section: '4.6',
  summary: 'Translation file of one language and module',
  access: access.key,
  query: UilmFileQuery,
  responses: {
    200: {
      description: 'The translations by key. The body is empty for an unknown module',
      schema: UilmFile,
    },
    304: { description: 'Unchanged since the ETag in If-None-Match' },
    400: { description: 'Language or module name missing or undefined', schema: UilmError },
    401: { description: 'Project key missing or invalid, or token invalid', schema: UilmError },
    404: { description: 'Wrong URL, or resource not found', schema: UilmError },
  },
} as const satisfies OperationParts

const modules = {
  section: '4.6',
  extension: true,
  summary: 'Modules of a project',
  access: access.key,
  query: projectQuery,
  responses: {
    200: { description: 'The modules', schema: z.array(Module) },
    400: { description: 'Project key missing', schema: Rejection },
    404: { description: 'Project unknown, or the instance has no such route', schema: Rejection },
  },
} as const satisfies OperationParts

export const listLanguages = defineOperation(routes.localizationListLanguages, {
  section: '4.6',
  summary: 'Languages of a project',
  access: access.key,
  query: projectQuery,
  responses: { 200: { description: 'The languages', schema: LanguageList }, ...rejections },
})
export const getFile = defineOperation(routes.localizationGetFile, file)
export const listModules = defineOperation(routes.localizationListModules, modules)

export const uilmListLanguages = defineOperation(routes.uilmListLanguages, {
  section: '4.6',
  summary: 'Languages of a project',
  access: access.key,
  description: 'Without the project header the response is not specific to the project.',
  query: projectQuery,
  responses: {
    200: { description: 'The languages', schema: z.array(Language) },
    401: { description: 'Project key missing or unknown, or token invalid', schema: UilmError },
  },
})
export const uilmGetFile = defineOperation(routes.uilmGetFile, {
  ...file,
  description: 'Without the project header the response is not specific to the project.',
})
export const uilmListModules = defineOperation(routes.uilmListModules, {
  section: '4.6',
  extension: true,
  summary: 'Modules of a project',
  access: access.key,
  description: 'Without the project header the response is not specific to the project.',
  query: projectQuery,
  responses: {
    200: { description: 'The modules', schema: z.array(Module) },
    401: { description: 'Project key missing or unknown, or token invalid', schema: UilmError },
    404: { description: 'The instance has no such route', schema: UilmError },
  },
})
