import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { fileURLToPath } from 'node:url'
import type { AzureStorage } from '@servicekit/platform'
import { freePort } from './free-port.mjs'
import { startServer } from './start-server.ts'

/** Account that every Azurite instance has. */
const account = 'devstoreaccount1'
const accountKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** Program of Azurite; it has a lockfile of its own. */
export const azuriteProgram = fileURLToPath(
  new URL('../projects/azurite/node_modules/azurite/dist/src/blob/main.js', import.meta.url),
)

/** Starts Azurite, a local Azure Blob Storage, with an empty container. */
export async function startAzurite() {
  const port = await freePort()
  const server = await startServer({
    command: process.execPath,
    args: [
      azuriteProgram,
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
