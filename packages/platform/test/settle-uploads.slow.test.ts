import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPlatform, type Platform, type StorageOptions } from '../src/index.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { startAzurite } from '@servicekit/testing/azurite'
import { project } from '@servicekit/testing/projects'
import { receiver } from '@servicekit/testing/receiver'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { control } from './control-client.ts'

type Kind = 'Local' | 'Azure' | 'S3Compatible'

interface Cloud {
  readonly storage: StorageOptions
  readonly stop: () => Promise<void>
}

const clouds: Record<Kind, () => Promise<Cloud>> = {
  Local: async () => ({
    storage: { name: 'Cloud', strategy: 'Local' },
    stop: async () => {},
  }),
  Azure: startAzurite,
  S3Compatible: async () => {
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    const { client, ...swift } = await startSwift()
    return {
      ...swift,
      stop: () => {
        client.destroy()
        return swift.stop()
      },
    }
  },
}

describe.each<Kind>(['Local', 'Azure', 'S3Compatible'])('uploads to %s', (kind) => {
  let cloud: Cloud
  let platform: Platform
  let missing: string | undefined
  let advancedMs = 0
  beforeAll(async () => {
    missing = kind === 'S3Compatible' ? await swiftFault() : undefined
    if (missing) return
    cloud = await clouds[kind]()
    platform = asAdministrator(
      await createPlatform({
        storage: [cloud.storage],
        projects: [project('P')],
        clock: () => new Date(Date.now() + advancedMs),
      }),
    )
  }, 400_000)
  beforeEach(({ skip }) => {
    if (missing) skip(`no S3 server that verifies signatures: ${missing}`)
  })
  afterAll(async () => {
    await platform?.close()
    await cloud?.stop()
  })

  const send = (path: string, body?: unknown) =>
    platform.fetch(
      new Request(`http://localhost${path}`, {
        headers: { 'x-service-key': 'P', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
    )
  const presign = async () => {
    const signed = await send('/data/v4/Files/GetPreSignedUrlForUpload', { name: 'a.txt' })
    return (await signed.json()) as { preSignedUrl: string; fileId: string }
  }
  const put = async (url: string, body: string): Promise<void> => {
    const headers = kind === 'Azure' ? { 'x-ms-blob-type': 'BlockBlob' } : undefined
    const request = new Request(url, { method: 'PUT', body, ...(headers && { headers }) })
    const response = await (kind === 'Local' ? platform.fetch(request) : fetch(request))
    expect(response.ok).toBe(true)
  }
  const list = async () => {
    const response = await send('/data/v4/Files/GetFilesInfo', {})
    return (await response.json()) as {
      totalCount: number
      data: { itemId: string; sizeInBytes: number }[]
    }
  }
  const drain = () => control(platform, 'POST', '/queue/drain')
  const jobs = async () => (await control(platform, 'GET', '/queue')).body

  it('are listed without a look at their storage, also one between many abandoned ones', async () => {
    const abandon = () => Promise.all(Array.from({ length: 120 }, presign))
    await abandon()
    const { preSignedUrl, fileId } = await presign()
    await put(preSignedUrl, 'first')
    await abandon()
    await expect.poll(list).toMatchObject({
      totalCount: 1,
      data: [{ itemId: fileId, sizeInBytes: 5 }],
    })

    // Its URL is still valid, and replaces the file.
    await put(preSignedUrl, 'the second')
    advancedMs = 10 * 60_000
    await drain()
    expect(await list()).toMatchObject({ totalCount: 1, data: [{ sizeInBytes: 10 }] })

    // No upload can arrive any more: the records without bytes go, and so do the jobs.
    advancedMs = 3 * 3_600_000
    await drain()
    expect(await jobs()).toEqual({ all: 0, due: 0 })
    expect((await list()).totalCount).toBe(1)
    expect((await send(`/data/v4/Files/GetFile?FileId=${fileId}`)).status).toBe(200)
    advancedMs = 0
  })
})

it('keep their records while their storage is away, and do not delay other jobs', async () => {
  let requests = 0
  const held: (() => void)[] = []
  const respondToAll = () => held.splice(0).forEach((respond) => respond())
  // Responds to nothing at first.
  const server = createServer((_request, response) => {
    requests++
    held.push(() => response.writeHead(503).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const errors: string[] = []
  const hooks = await receiver()
  let advancedMs = 0
  const platform = asAdministrator(
    await createPlatform({
      storage: [
        {
          name: 'Cloud',
          strategy: 'Azure',
          accountName: 'a',
          accountKey: 'a2V5',
          container: 'files',
          endpoint: `http://127.0.0.1:${port}`,
        },
      ],
      projects: [project('P', { en: { m: { A: 'a' } } })],
      outgoing: ['loopback'],
      clock: () => new Date(Date.now() + advancedMs),
      onError: ({ message }) => errors.push(message),
    }),
  )
  const send = (path: string, body: object) =>
    platform.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'x-service-key': 'P', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  try {
    for (let count = 0; count < 10; count++) {
      await send('/data/v4/Files/GetPreSignedUrlForUpload', { name: 'a.txt' })
    }
    await expect.poll(() => requests).toBeGreaterThanOrEqual(2)
    await control(platform, 'PUT', '/projects/P/webhook', {
      url: hooks.address,
      contentType: 'application/json',
      isDisabled: false,
      projectKey: 'P',
    })
    const texts = [{ language: 'en', module: 'm', key: 'A', value: 'b' }]
    expect((await control(platform, 'PUT', '/projects/P/texts', texts)).status).toBeLessThan(300)
    await hooks.take(1)
    // The webhook was delivered while the first looks still waited.
    expect(errors).toEqual([])
    server.removeAllListeners('request')
    server.on('request', (_request, response) => response.writeHead(503).end())
    respondToAll()
    advancedMs = 5 * 3_600_000
    await control(platform, 'POST', '/queue/drain')
    expect(new Set(errors)).toEqual(new Set(['The storage "Cloud" cannot be reached.']))
    expect((await control(platform, 'GET', '/queue')).body).toEqual({ all: 10, due: 0 })
  } finally {
    respondToAll()
    await platform.close()
    await hooks.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
