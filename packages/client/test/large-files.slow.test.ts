import { createPlatform, type Platform } from '@servicekit/platform'
import { type Listening, listen } from '@servicekit/platform/node'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Built, buildPlatform } from '@servicekit/testing/build-platform'
import { isDeep } from '@servicekit/testing/is-deep'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { bindClient, type Client } from '../src/index.ts'
import { createServerClient } from '../src/server.ts'
import { hashOf, sampleBytes } from './sample-bytes.ts'
import { credentials, storefront } from './storefront.ts'

const size = 2 * 2 ** 30
const minutes = 60_000
const fault = isDeep ? await swiftFault() : undefined

const clientOf = (place: { readonly baseUrl: string; readonly projectKey: string }): Client =>
  bindClient(createServerClient({ ...place, credentials }).core)

const expected = { sizes: [size, size], type: 'application/x-large', isUnchanged: true }

/** Uploads and downloads 2 GB. */
async function upAndDown({ storage }: Client): Promise<typeof expected> {
  const source = sampleBytes(size)
  const uploaded = await storage.upload(source, { name: 'large.bin', type: expected.type })
  const { body, sizeBytes, type } = await storage.download({ fileId: uploaded.fileId })
  const [received, sent] = [await hashOf(body), await hashOf(source.open(0))]
  return {
    sizes: [uploaded.sizeBytes, sizeBytes ?? 0],
    type: type ?? '',
    isUnchanged: received.join() === sent.join(),
  }
}

describe.skipIf(!isDeep)('a file of 2 GB arrives unchanged', () => {
  it('with the folder of a platform', { timeout: 20 * minutes }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-large-'))
    let built: Built | undefined
    try {
      built = await buildPlatform()
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
        expect(await upAndDown(clientOf(started))).toEqual(expected)
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
      const client = clientOf({ baseUrl: server!.baseUrl, projectKey })
      expect(await upAndDown(client)).toEqual(expected)
    })
  })
})
