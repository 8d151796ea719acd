import type { BucketLocationConstraint } from '@aws-sdk/client-s3'
import {
  urlLifetimes,
  attachment,
  type Backend,
  expiryOf,
  exposedHeaders,
  objectKey,
  type StoredObject,
} from './backend.ts'
import { loadSdk } from './storage-error.ts'
import type { S3Storage } from './storage-options.ts'

/**
 * Creates a backend that stores files in a bucket of S3, or of a compatible service, and
 * signs addresses with SigV4.
 */
export function s3Backend(options: S3Storage): Backend {
  const { bucket, region, accessKeyId, secretAccessKey, endpoint } = options
  let loaded: ReturnType<typeof load> | undefined
  const load = async () => {
    const [sdk, { getSignedUrl }] = await Promise.all([
      loadSdk('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3')),
      loadSdk('@aws-sdk/s3-request-presigner', () => import('@aws-sdk/s3-request-presigner')),
    ])
    const client = new sdk.S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      maxAttempts: 2,
      // Without the last one, the SDK would only print a warning.
      requestHandler: {
        connectionTimeout: 5000,
        requestTimeout: 5000,
        throwOnRequestTimeout: true,
      },
      // A checksum in the address would cover an empty body: the signer does not have the bytes.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    })
    return { sdk, getSignedUrl, client }
  }
  const use = () => (loaded ??= load())
  const where = (object: StoredObject) => ({ Bucket: bucket, Key: objectKey(object) })
  const expiresIn = (kind: keyof typeof urlLifetimes) => ({ expiresIn: urlLifetimes[kind] })
  return {
    signUpload: async (object) => {
      const { sdk, getSignedUrl, client } = await use()
      const command = new sdk.PutObjectCommand(where(object))
      const url = await getSignedUrl(client, command, expiresIn('upload'))
      return { url, requiredHeaders: {}, expiresAt: expiryOf(new Date(), 'upload') }
    },
    signDownload: async (object) => {
      const { sdk, getSignedUrl, client } = await use()
      const disposition = { ResponseContentDisposition: attachment(object.name) }
      const command = new sdk.GetObjectCommand({ ...where(object), ...disposition })
      const url = await getSignedUrl(client, command, expiresIn('download'))
      return { url, requiredHeaders: {}, expiresAt: expiryOf(new Date(), 'download') }
    },
    stat: async (object) => {
      const { sdk, client } = await use()
      const found = await client.send(new sdk.HeadObjectCommand(where(object)))
      return {
        sizeInBytes: found.ContentLength ?? 0,
        contentType: found.ContentType,
        etag: found.ETag,
      }
    },
    remove: async (object) => {
      const { sdk, client } = await use()
      await client.send(new sdk.DeleteObjectCommand(where(object)))
    },
    multipart: {
      begin: async (object, ContentType) => {
        const { sdk, client } = await use()
        const whole = { ...where(object), ...(ContentType && { ContentType }) }
        const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(whole))
        return UploadId!
      },
      signPart: async (object, uploadId, part) => {
        const { sdk, getSignedUrl, client } = await use()
        const one = { ...where(object), UploadId: uploadId, PartNumber: part }
        const url = await getSignedUrl(client, new sdk.UploadPartCommand(one), expiresIn('upload'))
        return { url, requiredHeaders: {}, expiresAt: expiryOf(new Date(), 'upload') }
      },
      complete: async (object, uploadId, parts) => {
        const { sdk, client } = await use()
        const Parts = [...parts]
          .sort((a, b) => a.part - b.part)
          .map(({ part, etag }) => ({ PartNumber: part, ETag: etag }))
        const whole = { ...where(object), UploadId: uploadId, MultipartUpload: { Parts } }
        await client.send(new sdk.CompleteMultipartUploadCommand(whole))
      },
      abort: async (object, uploadId) => {
        const { sdk, client } = await use()
        await client.send(
          new sdk.AbortMultipartUploadCommand({ ...where(object), UploadId: uploadId }),
        )
      },
    },
    setUp: {
      create: async () => {
        const { sdk, client } = await use()
        try {
          await client.send(new sdk.HeadBucketCommand({ Bucket: bucket }))
        } catch (error) {
          if (!(error instanceof sdk.NotFound)) throw error
          // Amazon refuses the name of its first region.
          const isNamed = endpoint === undefined && region !== 'us-east-1'
          const place = { LocationConstraint: region as BucketLocationConstraint }
          await client.send(
            new sdk.CreateBucketCommand({
              Bucket: bucket,
              ...(isNamed && { CreateBucketConfiguration: place }),
            }),
          )
        }
      },
      allowOrigins: async (origins) => {
        const { sdk, client } = await use()
        const present = await client
          .send(new sdk.GetBucketCorsCommand({ Bucket: bucket }))
          .catch((error: Error) => {
            if (error.name === 'NoSuchCORSConfiguration') return undefined
            throw error
          })
        const added = {
          AllowedOrigins: [...origins],
          AllowedMethods: ['GET', 'HEAD', 'PUT'],
          AllowedHeaders: ['*'],
          ExposeHeaders: [...exposedHeaders],
          MaxAgeSeconds: 3600,
        }
        const CORSRules = [...(present?.CORSRules ?? []), added]
        await client.send(
          new sdk.PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules } }),
        )
      },
    },
    close: () => void loaded?.then(({ client }) => client.destroy()).catch(() => {}),
  }
}
