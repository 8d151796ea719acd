import { z } from 'zod'

const text = z.string('must be a non-empty string').min(1, 'must be a non-empty string')
const url = text.refine((value) => /^https?:/.test(value) && URL.canParse(value), {
  error: 'must be a URL such as https://s3.example.com',
})

/** Declares a member with what the settings of a server show of it. */
const member = (
  schema: z.ZodString,
  description: string,
  facts: Pick<StorageMember, 'hint' | 'isSecret'> = { hint: 'NAME' },
) => schema.meta({ description, ...facts })

const Local = z.strictObject({
  name: text,
  strategy: z.literal('Local'),
  /** `files` in the data folder by default. */
  folder: member(text, 'Folder of local files', { hint: 'DIR' }).optional(),
})

/** Files in a folder of this machine, with addresses that the platform signs. */
export type LocalStorage = Readonly<z.infer<typeof Local>>

const Azure = z.strictObject({
  name: text,
  strategy: z.literal('Azure'),
  accountName: member(text, 'Account of Azure'),
  accountKey: member(text, 'Account key of Azure', { isSecret: true }),
  container: member(text, 'Container of Azure'),
  /** `https://<accountName>.blob.core.windows.net` by default. */
  endpoint: member(url, 'URL of an S3-compatible server or of Azurite', { hint: 'URL' }).optional(),
})

/** Azure Blob Storage. Needs `@azure/storage-blob`. */
export type AzureStorage = Readonly<z.infer<typeof Azure>>

const Amazon = z.strictObject({
  name: text,
  strategy: z.literal('Amazon'),
  bucket: member(text, 'Bucket of S3'),
  region: member(text, 'Region of S3'),
  accessKeyId: member(text, 'Access key id of S3', { hint: 'ID' }),
  secretAccessKey: member(text, 'Secret access key of S3', { isSecret: true }),
  /** Amazon's by default. If set, the bucket is part of the path. */
  endpoint: Azure.shape.endpoint,
})

const S3Compatible = Amazon.extend({
  strategy: z.literal('S3Compatible'),
  endpoint: Azure.shape.endpoint.unwrap(),
})

/** Amazon S3 or a compatible service. Needs `@aws-sdk/client-s3` and its presigner. */
export type S3Storage = Readonly<z.infer<typeof Amazon> | z.infer<typeof S3Compatible>>

/** One storage configuration. Its credentials never leave the process. */
export type StorageOptions = LocalStorage | AzureStorage | S3Storage

const strategies = [Local, Azure, Amazon, S3Compatible] as const

/** Schema of a storage configuration. Its messages contain no values. */
export const Storage = z.discriminatedUnion('strategy', strategies, {
  error: `must be one of ${strategies.map(({ shape }) => shape.strategy.value).join(', ')}`,
})

type MemberOf<One> = One extends unknown ? Exclude<keyof One, 'name' | 'strategy'> : never

/** Member of storage configurations, from which settings derive. */
export interface StorageMember {
  readonly name: MemberOf<StorageOptions>
  readonly schema: z.ZodString
  readonly description: string
  /** Placeholder of the value in a help text. */
  readonly hint?: string
  readonly isSecret?: true
  /** Strategies that have the member, and whether each requires it. */
  readonly strategies: ReadonlyMap<StorageOptions['strategy'], boolean>
}

/** Members of all storage configurations, apart from `name` and `strategy`. */
export function storageMembers(): readonly StorageMember[] {
  const members = new Map<string, StorageMember & { readonly strategies: Map<string, boolean> }>()
  for (const { shape } of strategies) {
    for (const [name, schema] of Object.entries(shape)) {
      if (name === 'name' || name === 'strategy') continue
      const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema
      const facts = inner.meta() as unknown as Pick<StorageMember, 'description'>
      const known = members.get(name) ?? { name, schema: inner, ...facts, strategies: new Map() }
      known.strategies.set(shape.strategy.value, inner === schema)
      members.set(name, known as never)
    }
  }
  return [...members.values()]
}

/** Returns the origin of the signed URLs of object storage; undefined for a folder. */
export function originOf(one: StorageOptions): string | undefined {
  if (one.strategy === 'Local') return undefined
  const host =
    one.strategy === 'Azure'
      ? `${one.accountName}.blob.core.windows.net`
      : `${one.bucket}.s3.${one.region}.amazonaws.com`
  return new URL(one.endpoint ?? `https://${host}`).origin
}
