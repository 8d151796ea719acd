import { once } from '@servicekit/core'
import { attachment, type Backend, expiryOf, exposedHeaders, objectKey } from './backend.ts'
import { loadSdk } from './storage-error.ts'
import type { AzureStorage } from './storage-options.ts'

/** Allowed difference between the clocks of two machines, in ms. */
const skewMs = 5 * 60_000

/** Ends all tries: `tryTimeoutInMs` only limits the time that the server may take. */
const limited = () => ({ abortSignal: AbortSignal.timeout(10_000) })

/**
 * Creates a backend that stores files in a container of Azure Blob Storage and signs
 * addresses with SAS.
 */
export function azureBackend(options: AzureStorage): Backend {
  const { accountName, accountKey, container } = options
  const endpoint = options.endpoint ?? `https://${accountName}.blob.core.windows.net`
  const load = once(async () => {
    const sdk = await loadSdk('@azure/storage-blob', () => import('@azure/storage-blob'))
    const credential = new sdk.StorageSharedKeyCredential(accountName, accountKey)
    const retryOptions = { maxTries: 2, tryTimeoutInMs: 5000, retryDelayInMs: 200 }
    const service = new sdk.BlobServiceClient(endpoint, credential, { retryOptions })
    return { sdk, credential, service, client: service.getContainerClient(container) }
  })
  const sign = async (
    blobName: string,
    permissions: 'cw' | 'r',
    expiresOn: Date,
    contentDisposition?: string,
  ): Promise<string> => {
    const { sdk, credential, client } = await load()
    const sas = sdk.generateBlobSASQueryParameters(
      {
        containerName: container,
        blobName,
        permissions: sdk.BlobSASPermissions.parse(permissions),
        startsOn: new Date(Date.now() - skewMs),
        expiresOn,
        ...(contentDisposition ? { contentDisposition } : {}),
        // Addresses of a development server use plain http; all others must use https.
        protocol: endpoint.startsWith('https:')
          ? sdk.SASProtocol.Https
          : sdk.SASProtocol.HttpsAndHttp,
      },
      credential,
    )
    return `${client.getBlobClient(blobName).url}?${sas.toString()}`
  }
  return {
    signUpload: async (object) => {
      const expiresAt = expiryOf(new Date(), 'upload')
      const url = await sign(objectKey(object), 'cw', expiresAt)
      return { url, requiredHeaders: { 'x-ms-blob-type': 'BlockBlob' }, expiresAt }
    },
    signDownload: async (object) => {
      const expiresAt = expiryOf(new Date(), 'download')
      const url = await sign(objectKey(object), 'r', expiresAt, attachment(object.name))
      return { url, requiredHeaders: {}, expiresAt }
    },
    stat: async (object) => {
      const { client } = await load()
      const blob = client.getBlobClient(objectKey(object))
      const { contentLength = 0, contentType, etag } = await blob.getProperties(limited())
      return { sizeInBytes: contentLength, contentType, etag }
    },
    remove: async (object) => {
      const { client } = await load()
      await client.getBlobClient(objectKey(object)).deleteIfExists(limited())
    },
    setUp: {
      create: async () => {
        const { client } = await load()
        await client.createIfNotExists(limited())
      },
      allowOrigins: async (origins) => {
        const { service } = await load()
        const { cors = [] } = await service.getProperties(limited())
        const added = {
          allowedOrigins: origins.join(','),
          allowedMethods: 'GET,HEAD,PUT',
          allowedHeaders: '*',
          exposedHeaders: exposedHeaders.join(','),
          maxAgeInSeconds: 3600,
        }
        await service.setProperties({ cors: [...cors, added] }, limited())
      },
    },
  }
}
