import { z } from 'zod'

/*
 * Bodies that the service sends to the address of a webhook (section 6). The
 * interface does not show them; these are those that instances send. The kind of
 * an event is the name of its first member.
 */

/** An auto-translation job ended; `Response: false` is one that failed. */
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

/** Translation files were published: the moment to pull them again. */
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

/** Texts were imported. */
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
