// Creates the bucket of the settings SERVICEKIT_STORAGE_*, if it does not exist. Waits for the
// storage, and for the certificate of the proxy before it.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'

const { env } = process
const Bucket = env.SERVICEKIT_STORAGE_BUCKET
const client = new S3Client({
  endpoint: env.SERVICEKIT_STORAGE_ENDPOINT,
  region: env.SERVICEKIT_STORAGE_REGION,
  forcePathStyle: true,
  credentials: {
    accessKeyId: env.SERVICEKIT_STORAGE_ACCESS_KEY_ID,
    secretAccessKey: readFileSync(env.SERVICEKIT_STORAGE_SECRET_ACCESS_KEY_FILE, 'utf8').trim(),
  },
})

const exists = () =>
  client.send(new HeadBucketCommand({ Bucket })).then(
    () => true,
    (error) => {
      if (error.$metadata?.httpStatusCode === 404) return false
      throw error
    },
  )

for (let attempt = 1; ; attempt++) {
  try {
    if (!(await exists())) await client.send(new CreateBucketCommand({ Bucket }))
    break
  } catch (error) {
    if (attempt === 60) throw error
    await setTimeout(2000)
  }
}
console.log(`Bucket ${Bucket} exists`)
