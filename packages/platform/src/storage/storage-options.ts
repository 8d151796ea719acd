/** Files in a folder of this machine, with addresses that the platform signs. */
export interface LocalStorage {
  readonly name: string
  readonly strategy: 'Local'
  /** Folder of the files; `files` in the data folder by default. */
  readonly folder?: string
}

/** Azure Blob Storage. Needs `@azure/storage-blob`. */
export interface AzureStorage {
  readonly name: string
  readonly strategy: 'Azure'
  readonly accountName: string
  readonly accountKey: string
  readonly container: string
  /** Address of the account; `https://<accountName>.blob.core.windows.net` by default. */
  readonly endpoint?: string
}

/** Amazon S3 or a compatible service. Needs `@aws-sdk/client-s3` and its presigner. */
export interface S3Storage {
  readonly name: string
  readonly strategy: 'Amazon' | 'S3Compatible'
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Address of the server; Amazon's by default. If set, the bucket is part of the path. */
  readonly endpoint?: string
}

/** One storage configuration. Its credentials never leave the process. */
export type StorageOptions = LocalStorage | AzureStorage | S3Storage

const members: Readonly<Record<StorageOptions['strategy'], readonly string[]>> = {
  Local: ['folder?'],
  Azure: ['accountName', 'accountKey', 'container', 'endpoint?'],
  Amazon: ['bucket', 'region', 'accessKeyId', 'secretAccessKey', 'endpoint?'],
  S3Compatible: ['bucket', 'region', 'accessKeyId', 'secretAccessKey', 'endpoint?'],
}

/** Returns the problem in a configuration, if any; the message never contains a value of it. */
export function storageProblem(one: StorageOptions): string | undefined {
  const known = Object.hasOwn(members, one.strategy) ? members[one.strategy] : undefined
  if (!known) return `strategy must be one of ${Object.keys(members).join(', ')}`
  const all = ['name', 'strategy', ...known]
  const unknown = Object.keys(one).find((name) => !all.includes(name) && !all.includes(`${name}?`))
  if (unknown !== undefined) return `unknown option "${unknown}"`
  const isGiven = (name: string): boolean => {
    const value: unknown = (one as unknown as Record<string, unknown>)[name.replace('?', '')]
    return name.endsWith('?') && value === undefined
      ? true
      : typeof value === 'string' && value !== ''
  }
  const missing = all.find((name) => !isGiven(name))
  return missing && `${missing.replace('?', '')} must be a non-empty string`
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
