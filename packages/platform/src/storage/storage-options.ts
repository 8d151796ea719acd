import { z } from 'zod'

const text = z.string('must be a non-empty string').min(1, 'must be a non-empty string')

const Local = z.strictObject({
  name: text,
  strategy: z.literal('Local'),
  /** Folder of the files; `files` in the data folder by default. */
  folder: text.optional(),
})

/** Files in a folder of this machine, with addresses that the platform signs. */
export type LocalStorage = Readonly<z.infer<typeof Local>>

const Azure = z.strictObject({
  name: text,
  strategy: z.literal('Azure'),
  accountName: text,
  accountKey: text,
  container: text,
  /** Address of the account; `https://<accountName>.blob.core.windows.net` by default. */
  endpoint: text.optional(),
})

/** Azure Blob Storage. Needs `@azure/storage-blob`. */
export type AzureStorage = Readonly<z.infer<typeof Azure>>

const S3 = z.strictObject({
  name: text,
  strategy: z.enum(['Amazon', 'S3Compatible']),
  bucket: text,
  region: text,
  accessKeyId: text,
  secretAccessKey: text,
  /** Address of the server; Amazon's by default. If set, the bucket is part of the path. */
  endpoint: text.optional(),
})

/** Amazon S3 or a compatible service. Needs `@aws-sdk/client-s3` and its presigner. */
export type S3Storage = Readonly<z.infer<typeof S3>>

/** One storage configuration. Its credentials never leave the process. */
export type StorageOptions = LocalStorage | AzureStorage | S3Storage

/** Schema of a storage configuration. Its messages contain no values. */
export const Storage = z.discriminatedUnion('strategy', [Local, Azure, S3], {
  error: 'must be one of Local, Azure, Amazon, S3Compatible',
})

/** Returns the origin of the signed URLs of object storage; undefined for a folder. */
export function originOf(one: StorageOptions): string | undefined {
  if (one.strategy === 'Local') return undefined
  const host =
    one.strategy === 'Azure'
      ? `${one.accountName}.blob.core.windows.net`
      : `${one.bucket}.s3.${one.region}.amazonaws.com`
  return new URL(one.endpoint ?? `https://${host}`).origin
}
