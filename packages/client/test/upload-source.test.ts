import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { openAsBlob } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchBlobs } from '../src/blobs-fetch.ts'
import { nodeBlobs } from '../src/blobs-node.ts'
import { type Core, createCore, fetchTransport } from '../src/index.ts'
import { uploadFile } from '../src/server.ts'
import { upload, type UploadOptions, type UploadSource, type UploadState } from '../src/storage.ts'
import { answer, serve } from './serve.ts'

const blobTransports = [
  ['undici', nodeBlobs()],
  ['fetch', fetchBlobs()],
] as const
const bytes = new Uint8Array(250_000).fill(7)
const damage = new Error('the disk is damaged')
async function* failing(given: Uint8Array = bytes) {
  yield given.subarray(0, 1000)
  throw damage
}
async function* whole(given: Uint8Array = bytes) {
  yield given.subarray(0, 1000)
  yield given.subarray(1000)
}

/** Service with a storage that accepts whole files, blocks or parts with URLs. */
async function storageOf(kind: 's3' | 'azure' | 'urls') {
  const asked: string[] = []
  let stored = 0
  const served = await serve((response, request) => {
    asked.push(`${request.method} ${request.url}`)
    let size = 0
    request.on('data', (chunk: Buffer) => (size += chunk.length))
    request.on('end', () => {
      if (request.url === '/multipart' && size < 60) {
        const parts = [1, 2, 3].map((part) => ({ part, url: `${served.url}/blob?part=${part}` }))
        return answer(200, { uploadId: 'm1', parts })(response, request)
      }
      stored += request.method === 'PUT' && !/blocklist/.test(request.url!) ? size : 0
      answer(201, '', { etag: '"e"' })(response, request)
    })
  })
  const transport = fetchTransport(() =>
    Response.json({
      uploadUrl: `${served.url}/blob?sig=s`,
      fileId: 'f1',
      ...(kind === 'urls' && { multipartUrl: `${served.url}/multipart` }),
    }),
  )
  const core: Core = createCore({ baseUrl: served.url, projectKey: 'P1', transport })
  const send = (source: UploadSource, options: UploadOptions = {}) =>
    upload(core, source, {
      name: 'a',
      configuration: { name: 'c', strategy: kind },
      partBytes: 100_000,
      ...options,
    })
  return { core, asked, send, stored: () => stored }
}
const unreadable = { name: 'ServicekitError', code: 'READ_FAILED' }

describe.each(blobTransports)('over %s', (_, blobs) => {
  it.each(['s3', 'azure', 'urls'] as const)(
    'distinguishes an unreadable source from an unreachable storage: %s',
    async (kind) => {
      const { send, asked } = await storageOf(kind)
      const source = { size: bytes.length, open: () => failing() }
      await expect(send(source, { blobs })).rejects.toMatchObject({ ...unreadable, cause: damage })
      expect(asked.filter((one) => /PUT \/blob/.test(one)).length).toBeLessThan(2)
    },
  )

  it.each([
    ['s3', bytes.length + 1, 'fewer'],
    ['s3', bytes.length - 1, 'more'],
    ['azure', bytes.length + 1, 'fewer'],
    ['azure', bytes.length - 1, 'more'],
    ['urls', bytes.length + 1, 'fewer'],
    ['urls', bytes.length - 1, 'more'],
  ] as const)(
    'a file that is not as long as was said is not stored: %s',
    async (kind, size, than) => {
      for (const source of [whole(), { size, open: () => whole() }]) {
        const { send, asked } = await storageOf(kind)
        const message = `Cannot read the file to upload: it has ${than} bytes than its size of ${size}`
        await expect(send(source, { size, blobs })).rejects.toMatchObject({
          ...unreadable,
          message,
        })
        // No block list is sent, and a started multipart upload is aborted.
        expect(asked.filter((one) => one.includes('blocklist'))).toEqual([])
        expect(asked.filter((one) => one.includes('multipart')).length).not.toBe(1)
      }
    },
  )

  it('uploads an empty file', async () => {
    for (const kind of ['s3', 'azure', 'urls'] as const) {
      const { send, asked } = await storageOf(kind)
      const empty = async function* () {}
      for (const source of [new Blob([]), new Uint8Array(), empty()]) {
        expect(await send(source, { size: 0, blobs })).toEqual({ fileId: 'f1', sizeBytes: 0 })
      }
      expect(asked).toEqual(Array(3).fill('PUT /blob?sig=s'))
    }
  })

  it.each(['azure', 'urls'] as const)(
    'what was cut after its last part is ended, and its size is right: %s',
    async (kind) => {
      const { send, stored } = await storageOf(kind)
      const states: UploadState[] = []
      const blob = new Blob([bytes])
      await send(blob, { blobs, onState: (state) => states.push(state) })
      expect(states.at(-1)!.sentParts).toBe(3)
      const resume = JSON.parse(JSON.stringify(states.at(-1))) as UploadState
      expect(await send(blob, { blobs, resume })).toEqual({ fileId: 'f1', sizeBytes: bytes.length })
      expect(stored()).toBe(bytes.length)
      const other = send(new Blob(['another file']), { blobs, resume })
      await expect(other).rejects.toThrow(new TypeError('resume belongs to a larger file'))
    },
  )
})

it('names an unreachable storage and the reason', async () => {
  const transport = fetchTransport(() =>
    Response.json({ uploadUrl: 'http://127.0.0.1:1/blob?sig=canary', fileId: 'f1' }),
  )
  const core = createCore({ baseUrl: 'http://service.test', projectKey: 'P1', transport })
  const options = { name: 'a', configuration: { name: 'c', strategy: 's3' } }
  // The source can be read only once, so there is no retry.
  const error: unknown = await upload(core, whole(), { ...options, size: bytes.length }).catch(
    (cause: unknown) => cause,
  )
  expect(error).toMatchObject({
    code: 'UPLOAD_FAILED',
    details: { host: '127.0.0.1:1', reason: 'ECONNREFUSED' },
  })
  expect(JSON.stringify(error) + String(error)).not.toContain('canary')
})

describe('on disk', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'servicekit-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('distinguishes a Blob whose file has changed from an unreachable storage', async () => {
    const path = join(folder, 'a')
    await writeFile(path, bytes)
    const blob = await openAsBlob(path)
    await truncate(path, 10)
    const { send } = await storageOf('s3')
    for (const [, blobs] of blobTransports) {
      await expect(send(blob, { blobs })).rejects.toMatchObject({
        ...unreadable,
        cause: { name: 'NotReadableError' },
      })
    }
  })

  it('uploads an empty file', async () => {
    const path = join(folder, 'empty "ü"/..'.replaceAll('/', '_'))
    await writeFile(path, '')
    const { core } = await storageOf('s3')
    const configuration = { name: 'c', strategy: 's3' }
    expect(await uploadFile(core, path, { configuration })).toMatchObject({ sizeBytes: 0 })
  })
})
