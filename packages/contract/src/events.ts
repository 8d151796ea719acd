import { z } from 'zod'

/*
 * Bodies that the service sends to a webhook's address (section 6). The interface does not
 * show them; these are the bodies that instances send. The name of the first member is the
 * event's kind.
 */

/** Auto-translation job that ended; `Response: false` means that it failed. */
export const TranslateAllEvent = z
  .looseObject({
    TranslateAllEvent: z.looseObject({
      ModuleId: z.string().nullish(),
      MessageCoRelationId: z.string(),
      ProjectKey: z.string(),
      DefaultLanguage: z.string().nullish(),
    }),
    Response: z.boolean(),
  })
  .meta({ id: 'TranslateAllEvent' })
export type TranslateAllEvent = z.infer<typeof TranslateAllEvent>

/** Translation files were published: pull them again. */
export const GenerateUilmFilesEvent = z
  .looseObject({
    GenerateUilmFilesEvent: z.looseObject({
      Guid: z.string(),
      ModuleId: z.string().nullish(),
      ProjectKey: z.string(),
    }),
  })
  .meta({ id: 'GenerateUilmFilesEvent' })
export type GenerateUilmFilesEvent = z.infer<typeof GenerateUilmFilesEvent>

/** Translations were imported. */
export const UilmImportEvent = z
  .looseObject({
    UilmImportEvent: z.record(z.string(), z.unknown()),
    IsSuccess: z.boolean(),
  })
  .meta({ id: 'UilmImportEvent' })
export type UilmImportEvent = z.infer<typeof UilmImportEvent>

export const WebhookEvent = z
  .union([TranslateAllEvent, GenerateUilmFilesEvent, UilmImportEvent])
  .meta({ id: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof WebhookEvent>
