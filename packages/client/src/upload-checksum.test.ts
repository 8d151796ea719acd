import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fetchBlobs } from './blobs-fetch.ts'
import { nodeBlobs } from './blobs-node.ts'
import { createCore } from './core.ts'
import { upload } from './storage.ts'
import { fetchTransport } from './transport-fetch.ts'
import type { UploadSource } from './upload-source.ts'

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64')

/**
 * Requests to a storage that rejects bytes that do not match `Content-MD5`, as all known
 * ones do.
 */
const seen: { method: string; path: string; md5: string | undefined; bytes: Buffer }[] = []
/** MD5 that a block list makes the storage keep for the whole file. */
let kept: unknown
/** Number of requests in which a byte is lost. */
let damages = 0
let saysWhatCame = false
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const path = request.url ?? ''
  if (request.method === 'POST') {
    seen.push({ method: 'POST', path, md5: request.headers['content-md5'] as string, bytes })
    const { parts } = JSON.parse(String(bytes)) as { parts: unknown }
    const urls = Array.from({ length: Number(parts) || 0 }, (_, index) => ({
      url: `${url()}/part/${index}`,
    }))
    return response.end(JSON.stringify({ uploadId: 'm1', parts: urls }))
  }
  if (damages-- > 0 && bytes.length > 0) bytes[0]! ^= 1
  const md5 = request.headers['content-md5'] as string | undefined
  kept = request.headers['x-ms-blob-content-md5']
  seen.push({ method: 'PUT', path, md5, bytes })
  if (md5 !== undefined && md5 !== md5Of(bytes)) {
    return response.writeHead(400).end('<Error><Code>Md5Mismatch</Code></Error>')
  }
  const said = saysWhatCame ? { 'content-md5': md5Of(bytes) } : {}
  return response.writeHead(201, { etag: '"e"', ...said }).end()
})
const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen.length = 0
  damages = 0
  saysWhatCame = false
})

const core = (more: object = {}) =>
  createCore({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    transport: fetchTransport(() =>
      Response.json({ fileId: 'f1', preSignedUrl: `${url()}/f1?sig=s`, ...more }),
    ),
  })
const bytes = Uint8Array.from({ length: 2500 }, (_, index) => index * 7)
const place = { name: 'a.bin', configuration: { name: 'Cloud', strategy: 'local' } }
const inPieces = async function* () {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700)
}
const sources: readonly [string, () => UploadSource][] = [
  ['bytes', () => bytes],
  ['a blob', () => new Blob([bytes])],
  ['what can be opened again', () => ({ size: bytes.length, open: inPieces })],
]

describe.each([
  ['undici', nodeBlobs()],
  ['fetch', fetchBlobs()],
])('a checksum with %s', (_, blobs) => {
  it.each(sources)('is sent with %s and matches their bytes', async (_name, source) => {
    await upload(core(), source(), { ...place, blobs, checksum: true })
    expect(seen).toEqual([
      { method: 'PUT', path: '/f1?sig=s', md5: md5Of(bytes), bytes: Buffer.from(bytes) },
    ])
  })

  it.each(sources)('repeats %s after damage in transit', async (_name, source) => {
    damages = 1
    const uploaded = await upload(core(), source(), { ...place, blobs, checksum: true })
    expect(uploaded).toEqual({ fileId: 'f1', sizeBytes: bytes.length })
    expect(seen.map((put) => put.bytes.equals(bytes))).toEqual([false, true])
  })

  it('is not sent by default, and the source is read only once', async () => {
    damages = 1
    await upload(core(), bytes, { ...place, blobs })
    expect(seen.map(({ md5 }) => md5)).toEqual([undefined])
  })

  it('of a stream is compared with the checksum that the storage returns', async () => {
    saysWhatCame = true
    const options = { ...place, blobs, size: bytes.length, checksum: true }
    expect(await upload(core(), inPieces(), options)).toMatchObject({ fileId: 'f1' })
    damages = 1
    const refused = upload(core(), inPieces(), options)
    // The source cannot be read again, so there is no second attempt.
    await expect(refused).rejects.toMatchObject({
      code: 'UPLOAD_FAILED',
      message: expect.stringContaining('the bytes were damaged in transit'),
    })
    expect(seen).toHaveLength(2)
  })

  it('that the caller passes is sent unchanged', async () => {
    const contentMd5 = md5Of(new Uint8Array())
    const options = { ...place, blobs, contentMd5, checksum: true }
    await expect(upload(core(), bytes, options)).rejects.toMatchObject({ status: 400 })
    expect(seen.map(({ md5 }) => md5)).toEqual([contentMd5])
  })

  it('is sent with each block, and only a damaged block is repeated', async () => {
    damages = 1
    const azure = { ...place, configuration: { name: 'Cloud', strategy: 'azure' } }
    const given = md5Of(bytes)
    const options = { ...azure, blobs, partBytes: 1000, checksum: true, contentMd5: given }
    await upload(core(), new Blob([bytes]), options)
    const blocks = seen.filter(({ path }) => path.includes('comp=block&'))
    expect(blocks.map((block) => block.bytes.length)).toEqual([1000, 1000, 1000, 500])
    expect(blocks.map((block) => block.md5 === md5Of(block.bytes))).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(kept).toBe(given)
  })

  it('is sent with each part to its signed URL, and not to the instance', async () => {
    damages = 1
    const made = core({ multipartUrl: `${url()}/multipart` })
    await upload(made, bytes, { ...place, blobs, partBytes: 1000, checksum: true })
    const parts = seen.filter(({ method }) => method === 'PUT')
    expect(parts.map(({ path }) => path)).toEqual(['/part/0', '/part/0', '/part/1', '/part/2'])
    expect(parts.map((part) => part.md5 === md5Of(part.bytes))).toEqual([false, true, true, true])
    expect(seen.filter(({ method }) => method === 'POST').map(({ md5 }) => md5)).toEqual([
      undefined,
      undefined,
    ])
  })
})
