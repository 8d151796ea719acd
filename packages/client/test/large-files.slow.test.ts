import { createPlatform, type Platform } from '@servicekit/platform'
import { type Listening, listen } from '@servicekit/platform/node'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Built, buildPlatform } from '@servicekit/testing/built'
import { isDeep } from '@servicekit/testing/is-deep'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { bindClient, type Client } from '../src/index.ts'
import { createServerClient } from '../src/server.ts'
import { growthOf, hashOf, sampleBytes } from './sample-bytes.ts'
import { credentials, storefront } from './storefront.ts'

const size = 2 * 2 ** 30
const minutes = 60_000
const fault = isDeep ? await swiftFault() : undefined

const clientOf = (place: { readonly baseUrl: string; readonly projectKey: string }): Client =>
  bindClient(createServerClient({ ...place, credentials }).core)

/** Uploads and downloads 2 GB, and returns the memory growth of this process. */
async function upAndDown({ storage }: Client): Promise<number> {
  // The first upload loads code, which is not a leak.
  const { fileId } = await storage.upload(sampleBytes(20 * 2 ** 20), { name: 'first.bin' })
  await hashOf((await storage.download({ fileId })).body)
  const source = sampleBytes(size)
  const hash = await hashOf(source.open(0))
  return growthOf(async () => {
    const uploaded = await storage.upload(source, {
      name: 'large.bin',
      type: 'application/x-large',
    })
    expect(uploaded.sizeBytes).toBe(size)
    const { body, sizeBytes, type } = await storage.download({ fileId: uploaded.fileId })
    expect([sizeBytes, type]).toEqual([size, 'application/x-large'])
    expect(await hashOf(body)).toEqual(hash)
  })
}

describe.skipIf(!isDeep)('uploads and downloads of 2 GB need no more memory', () => {
  it('with the folder of a platform', { timeout: 20 * minutes }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-large-'))
    let built: Built | undefined
    try {
      built = await buildPlatform()
      // In a separate process, so that only the client is measured here.
      const options = {
        projectDir: storefront,
        maxUploadBytes: 2 * size,
        storage: [{ name: 'Local', strategy: 'Local', folder }],
      }
      const child = await built.run(`
        const { baseUrl, projectKeys } = await platform.startPlatform(${JSON.stringify(options)})
        console.log(JSON.stringify({ baseUrl, projectKey: projectKeys[0] }))`)
      try {
        const started = JSON.parse(await child.line()) as { baseUrl: string; projectKey: string }
        const grown = await upAndDown(clientOf(started))
        console.log(`a folder of the platform: grew by ${grown} MB`)
        expect(grown).toBeLessThanOrEqual(48)
      } finally {
        child.process.kill('SIGKILL')
        await child.ended
      }
    } finally {
      await built?.remove()
      await rm(folder, { recursive: true, force: true })
    }
  })

  describe.skipIf(fault)('with an S3 server', () => {
    let swift: Awaited<ReturnType<typeof startSwift>> | undefined
    let platform: Platform | undefined
    let server: Listening | undefined
    beforeAll(async () => {
      vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
      swift = await startSwift()
      platform = await createPlatform({ projects: [storefront], storage: [swift.storage] })
      server = await listen(platform)
    }, 2 * minutes)
    afterAll(async () => {
      await server?.close()
      await platform?.close()
      await swift?.stop()
    }, minutes)

    it('that verifies signatures', { timeout: 20 * minutes }, async () => {
      const [projectKey = ''] = await platform!.projectKeys()
      const grown = await upAndDown(clientOf({ baseUrl: server!.baseUrl, projectKey }))
      console.log(`an S3 server: grew by ${grown} MB`)
      expect(grown).toBeLessThanOrEqual(48)
    })
  })
})
