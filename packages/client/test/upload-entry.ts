/** Process that uploads a file, prints its state and may be killed at any time. */
import process from 'node:process'
import { bindClient } from '@servicekit/client'
import { createServerClient } from '@servicekit/client/server'
import { sampleBytes } from './sample-bytes.ts'

const { baseUrl, projectKey, size, partBytes, slowAfter } = JSON.parse(process.argv[2] ?? '') as {
  readonly baseUrl: string
  readonly projectKey: string
  readonly size: number
  readonly partBytes: number
  /** Number of bytes read at full speed; the rest is slow, to leave time for the kill. */
  readonly slowAfter: number
}
let read = 0
const source = sampleBytes(size, (bytes) => {
  read += bytes
  if (read < slowAfter) return
  return new Promise((resolve) => {
    setTimeout(resolve, 5)
  })
})
const { core } = createServerClient({
  baseUrl,
  projectKey,
  credentials: { clientId: 'storefront-job', clientSecret: 'storefront-job-secret' },
})
await bindClient(core).storage.upload(source, {
  name: 'killed.bin',
  type: 'application/x-killed',
  partBytes,
  onState: (state) => process.stdout.write(`${JSON.stringify(state)}\n`),
})
