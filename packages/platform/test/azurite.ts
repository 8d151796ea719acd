import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { AzureStorage } from '../src/index.ts'
import { freePort } from '@servicekit/workspace/free-port'
import { startServer } from './start-server.ts'

/** Account that every Azurite instance has. */
const account = 'devstoreaccount1'
const accountKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** Starts Azurite, a local Azure Blob Storage, with an empty container. */
export async function startAzurite() {
  const port = await freePort()
  const require = createRequire(import.meta.url)
  const program = join(dirname(require.resolve('azurite/package.json')), 'dist/src/blob/main.js')
  const server = await startServer({
    command: process.execPath,
    args: [
      program,
      '--inMemoryPersistence',
      '--skipApiVersionCheck',
      '--silent',
      '--disableTelemetry',
      '--blobPort',
      String(port),
    ],
    port,
  })
  const endpoint = `http://127.0.0.1:${port}/${account}`
  const credential = new StorageSharedKeyCredential(account, accountKey)
  const service = new BlobServiceClient(endpoint, credential)
  const client = service.getContainerClient('files')
  await client.create()
  const storage: AzureStorage = {
    name: 'Cloud',
    strategy: 'Azure',
    accountName: account,
    accountKey,
    container: 'files',
    endpoint,
  }
  /** Lets pages of an origin send requests with signed URLs. */
  const allowOrigin = (allowedOrigins: string) =>
    service.setProperties({
      cors: [
        {
          allowedOrigins,
          allowedMethods: 'GET,PUT',
          allowedHeaders: 'content-type,x-ms-blob-type,x-ms-version,range',
          exposedHeaders: 'etag',
          maxAgeInSeconds: 60,
        },
      ],
    })
  return { storage, client, allowOrigin, stop: server.stop }
}
