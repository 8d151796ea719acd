import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startAzurite } from '@servicekit/testing/azurite'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import type { Variables } from '@servicekit/testing/processes'

export type StorageKind = 'folder' | 'Azurite' | 'S3 server'

/** Storage of files, as settings of `servicekit serve`. */
export interface TeamStorage {
  readonly variables: Variables
  /** Removes all files. */
  readonly wipe: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Returns why a storage cannot run on this machine; undefined if it can. */
export const whyMissing = async (kind: StorageKind): Promise<string | undefined> =>
  kind === 'S3 server' ? swiftFault() : undefined

const starts: Readonly<Record<StorageKind, (folder: string) => Promise<TeamStorage>>> = {
  folder: async (folder) => ({
    variables: {
      SERVICEKIT_STORAGE_STRATEGY: 'Local',
      SERVICEKIT_STORAGE_FOLDER: join(folder, 'files'),
    },
    wipe: () => rm(join(folder, 'files'), { recursive: true, force: true }),
    stop: async () => {},
  }),
  Azurite: async () => {
    const { storage, client, stop } = await startAzurite()
    const variables = {
      SERVICEKIT_STORAGE_STRATEGY: 'Azure',
      SERVICEKIT_STORAGE_ACCOUNT_NAME: storage.accountName,
      SERVICEKIT_STORAGE_ACCOUNT_KEY: storage.accountKey,
      SERVICEKIT_STORAGE_CONTAINER: storage.container,
      SERVICEKIT_STORAGE_ENDPOINT: storage.endpoint!,
    }
    const wipe = async (): Promise<void> => {
      for await (const { name } of client.listBlobsFlat()) await client.deleteBlob(name)
    }
    return { variables, wipe, stop }
  },
  'S3 server': async () => {
    const { storage, client, wipe, stop } = await startSwift()
    const variables = {
      SERVICEKIT_STORAGE_STRATEGY: 'S3Compatible',
      SERVICEKIT_STORAGE_BUCKET: storage.bucket,
      SERVICEKIT_STORAGE_REGION: storage.region,
      SERVICEKIT_STORAGE_ACCESS_KEY_ID: storage.accessKeyId,
      SERVICEKIT_STORAGE_SECRET_ACCESS_KEY: storage.secretAccessKey,
      SERVICEKIT_STORAGE_ENDPOINT: storage.endpoint!,
    }
    return {
      variables,
      wipe,
      stop: () => {
        client.destroy()
        return stop()
      },
    }
  },
}

/** Starts an empty storage. */
export const startStorage = (kind: StorageKind, folder: string): Promise<TeamStorage> =>
  starts[kind](folder)
