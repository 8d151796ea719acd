import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { createPlatform, type Platform, type StorageOptions } from '@servicekit/platform'
import { type Listening, listen } from '@servicekit/platform/node'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { bindClient, type Client } from '../src/index.ts'
import { createServerClient } from '../src/server.ts'
import type { UploadState } from '../src/storage.ts'
import { hashOf, sampleBytes } from './sample-bytes.ts'
import { bundle, prepareFolder } from './runtimes/programs.ts'
import { credentials, storefront } from './storefront.ts'

/** Minimum size of a part in S3. */
const partBytes = 5 * 2 ** 20

interface Started {
  readonly platform: Platform
  readonly server: Listening
  readonly client: Client
  readonly projectKey: string
}
async function start(storage: StorageOptions): Promise<Started> {
  const platform = await createPlatform({ projects: [storefront], storage: [storage] })
  const server = await listen(platform)
  const [projectKey = ''] = await platform.projectKeys()
  const { core } = createServerClient({ baseUrl: server.baseUrl, projectKey, credentials })
  const client = bindClient(core)
  return { platform, server, client, projectKey }
}
const stop = async ({ server, platform }: Started): Promise<void> => {
  await server.close()
  await platform.close()
}

/** Aborts an upload in the middle of a file and returns the error. */
async function giveUp({ storage }: Client, size: number): Promise<unknown> {
  const controller = new AbortController()
  let read = 0
  const source = sampleBytes(size, (bytes) => {
    read += bytes
    if (read > size / 2) controller.abort(new Error('enough'))
  })
  const { signal } = controller
  return storage.upload(source, { name: 'given-up.bin', partBytes, signal }).catch((error) => error)
}

describe('files in a folder of the platform', () => {
  let folder: string
  let started: Started
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'servicekit-local-files-'))
    started = await start({ name: 'Local', strategy: 'Local', folder })
  })
  afterAll(async () => {
    if (started) await stop(started)
    await rm(folder, { recursive: true, force: true })
  })
  const files = async (): Promise<string[]> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  it('leave nothing behind after an aborted upload', async () => {
    expect(await giveUp(started.client, 40 * 2 ** 20)).toMatchObject({ code: 'REQUEST_ABORTED' })
    // The platform notices the closed connection a moment later.
    await expect.poll(files, { timeout: 20_000 }).toEqual([])
    expect((await started.client.storage.listFiles().page()).items).toEqual([])
  })

  it('restart from zero after a broken connection, and are complete', async () => {
    const { storage } = started.client
    const source = sampleBytes(3 * partBytes)
    const { fileId } = await storage.upload(source, { name: 'whole.bin', partBytes })
    const { body } = await storage.download({ fileId })
    expect(await hashOf(body)).toEqual(await hashOf(source.open(0)))
    expect(await files()).toHaveLength(1)
  })
})

const fault = await swiftFault()

describe.skipIf(fault)('files in an S3 server that checks signatures', () => {
  let swift: Awaited<ReturnType<typeof startSwift>>
  let started: Started
  beforeAll(async () => {
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    swift = await startSwift()
    started = await start(swift.storage)
  }, 120_000)
  afterAll(async () => {
    if (started) await stop(started)
    await swift?.stop()
  })
  /** Counts files and unfinished multipart uploads. */
  const left = async () => {
    const place = { Bucket: 'files' }
    const { Contents = [] } = await swift.client.send(new ListObjectsV2Command(place))
    const { Uploads = [] } = await swift.client.send(new ListMultipartUploadsCommand(place))
    return { files: Contents.length, uploads: Uploads.length }
  }

  it('leave nothing behind after an aborted upload, in parts or in one piece', async () => {
    expect(await giveUp(started.client, 4 * partBytes)).toMatchObject({ code: 'REQUEST_ABORTED' })
    expect(await left()).toEqual({ files: 0, uploads: 0 })
    expect(await giveUp(started.client, 4 * 2 ** 20)).toMatchObject({ code: 'REQUEST_ABORTED' })
    expect(await left()).toEqual({ files: 0, uploads: 0 })
  })

  it('continue after their process was killed', { timeout: 240_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-killed-'))
    try {
      await prepareFolder(folder)
      const script = join(folder, 'upload.js')
      await bundle({ entry: '../upload-entry.ts', outfile: script, packages: 'external' })
      const size = 8 * partBytes + 12_345
      const { server, projectKey, client } = started
      const settings = { baseUrl: server.baseUrl, projectKey, size, partBytes }
      const child = spawn(
        process.execPath,
        [script, JSON.stringify({ ...settings, slowAfter: 3 * partBytes })],
        { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const ended = once(child, 'close')
      let state: UploadState | undefined
      for await (const line of createInterface(child.stdout)) {
        state = JSON.parse(line) as UploadState
        // While the next part is being sent.
        if (state.sentParts === 3) child.kill('SIGKILL')
      }
      expect(await ended).toEqual([null, 'SIGKILL'])
      expect(state!.sentParts).toBeLessThan(8)
      expect(await left()).toEqual({ files: 0, uploads: 1 })
      let sent = 0
      const source = sampleBytes(size, (bytes) => void (sent += bytes))
      const options = { name: 'killed.bin', resume: state! }
      const { fileId, sizeBytes } = await client.storage.upload(source, options)
      // Only the parts that had not arrived are sent: at most one part is sent twice.
      expect([sizeBytes, sent]).toEqual([size, size - state!.sentParts * partBytes])
      expect(await left()).toEqual({ files: 1, uploads: 0 })
      const { body, type } = await client.storage.download({ fileId })
      expect(type).toBe('application/x-killed')
      expect(await hashOf(body)).toEqual(await hashOf(sampleBytes(size).open(0)))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
