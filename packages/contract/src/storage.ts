import { z } from 'zod'
import { FieldErrors, Rejection } from './errors.ts'
import { listOf } from './user-records.ts'
import { pageRequest } from './listing.ts'
import { access, defineOperation, rejections } from './operation.ts'
import * as routes from './routes.ts'
import { optionalString } from './values.ts'

/**
 * Storage configuration. Other routes refer to its name as `configurationName`. Some
 * instances add credentials: show only the members listed here.
 */
export const StorageConfiguration = z
  .looseObject({
    itemId: z.string().optional(),
    name: z.string(),
    storageStrategy: z
      .string()
      .describe('Azure, Amazon, S3Compatible, SftpStorage, in any case')
      .optional(),
  })
  .meta({ id: 'StorageConfiguration' })
export type StorageConfiguration = z.infer<typeof StorageConfiguration>

export const ConfigurationList = z
  .union([
    z.array(StorageConfiguration),
    z.looseObject({ data: z.array(StorageConfiguration) }),
    z.looseObject({ items: z.array(StorageConfiguration) }),
  ])
  .meta({ id: 'ConfigurationList' })
export type ConfigurationList = z.infer<typeof ConfigurationList>

export const listConfigurations = defineOperation(routes.storageListConfigurations, {
  section: '4.4',
  summary: 'Storage configurations of the project',
  access: access.caller,
  responses: {
    200: { description: 'The configurations', schema: ConfigurationList },
    ...rejections,
  },
})

/** Input for an upload; the interface does not say which members are required (section 4.9). */
export const PresignUpload = z
  .object({
    name: z.string().min(1).describe('File name'),
    metaData: optionalString.describe('JSON string: {"key": {"type": "…", "value": "…"}}'),
    parentDirectoryId: optionalString,
    tags: optionalString.describe('JSON string: ["…"]'),
    accessModifier: optionalString.describe('Public'),
    projectKey: optionalString,
    moduleName: z.int32().min(0).nullish().describe('Default: Default_Construct (8)'),
    configurationName: optionalString,
  })
  .meta({ id: 'PresignUpload' })
export type PresignUpload = z.infer<typeof PresignUpload>

/**
 * Upload address. The address is in `preSignedUrl`, `uploadUrl` or `url`, and the file's
 * identifier in `fileId` or `itemId`; match the names case-insensitively.
 *
 * ```json
 * {"isSuccess": true, "uploadUrl": "https://…", "fileId": "…", "errors": null,
 *  "requiredHeaders": {"x-ms-blob-type": "BlockBlob"}, "uploadUrlExpiresAtUtc": "…"}
 * ```
 */
export const PresignedUpload = z
  .looseObject({
    isSuccess: z.boolean().optional(),
    preSignedUrl: z.string().optional(),
    uploadUrl: z.string().optional(),
    url: z.string().optional(),
    fileId: z.string().optional(),
    itemId: z.string().optional(),
    requiredHeaders: z.record(z.string(), z.string()).nullish(),
    uploadUrlExpiresAtUtc: optionalString,
    uploadCompletionRequired: z.boolean().nullish(),
    multipartUrl: optionalString.describe(
      'URL that starts an upload in parts, if the instance supports it',
    ),
    errors: FieldErrors.optional(),
  })
  .meta({ id: 'PresignedUpload' })
export type PresignedUpload = z.infer<typeof PresignedUpload>

export const presignUpload = defineOperation(routes.storagePresignUpload, {
  section: '4.4',
  summary: 'Signed URL for a new file',
  access: access.caller,
  body: PresignUpload,
  responses: {
    200: { description: 'The URL; or `isSuccess: false`', schema: PresignedUpload },
    ...rejections,
  },
})

/**
 * File; the interface does not list its fields (section 2.11). It spells
 * `parentDirectoryID` this way.
 */
export const File = z
  .looseObject({
    itemId: z.string(),
    name: z.string(),
    url: optionalString,
    parentDirectoryID: optionalString,
    systemName: optionalString,
    accessModifier: optionalString,
    metaData: z
      .record(z.string(), z.looseObject({ type: optionalString, value: z.unknown() }))
      .nullish(),
    type: z.union([z.int(), z.string()]).nullish(),
    typeString: optionalString,
    currentVersion: z.union([z.int(), z.string()]).nullish(),
    additionalProperties: z.record(z.string(), z.unknown()).nullish(),
    sizeInBytes: z.int().nullish(),
    tags: z.array(z.string()).nullish(),
    createdDate: optionalString,
    lastUpdatedDate: optionalString,
  })
  .meta({ id: 'File' })
export type File = z.infer<typeof File>

export const FilesRequest = z
  .object({
    ...pageRequest(0),
    filter: z.record(z.string(), z.unknown()).nullish(),
    projectKey: optionalString,
  })
  .meta({ id: 'FilesRequest' })
export type FilesRequest = z.infer<typeof FilesRequest>

export const listFiles = defineOperation(routes.storageListFiles, {
  section: '4.4',
  summary: 'One page of the files',
  access: access.caller,
  body: FilesRequest,
  responses: {
    200: {
      description: 'The files',
      schema: listOf('FileList', File).extend({ totalCount: z.int().optional() }),
    },
    ...rejections,
  },
})

/** Download address of a file: plain text, or a member of an object. */
export const Download = z
  .union([
    z.string(),
    z.looseObject({
      url: z.string().optional(),
      downloadUrl: z.string().optional(),
      preSignedUrl: z.string().optional(),
      expiresAtUtc: optionalString,
    }),
  ])
  .meta({ id: 'Download' })
export type Download = z.infer<typeof Download>

export const getFile = defineOperation(routes.storageGetFile, {
  section: '4.4',
  summary: 'Short-lived URL of a file',
  access: access.optional,
  query: z.object({
    FileId: z.string().min(1),
    ConfigurationName: z.string().min(1).optional(),
  }),
  responses: {
    200: { description: 'The URL, possibly as plain text', schema: Download },
    ...rejections,
    404: { description: 'Project or file unknown', schema: Rejection },
  },
})
