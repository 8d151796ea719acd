import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fetchBlobs } from '../src/blobs-fetch.ts'
import { nodeBlobs } from '../src/blobs-node.ts'
import type { BlobTransport } from '../src/blobs.ts'
import { createCore, fetchTransport, ServicekitError } from '../src/index.ts'
import { download, upload } from '../src/storage.ts'
import { undiciTransport } from '../src/transport-undici.ts'
import { answer, coreFor, serve, type Served } from './serve.ts'

type Reply = (response: ServerResponse, request: Served['requests'][number]) => void

/** Service whose storage responds with `reply`. */
async function storageThat(reply: Reply): Promise<Served> {
  const served: Served = await serve((response, request) => {
    if (!request.url!.includes('GetFile')) return reply(response, request)
    response.end(`${served.url}/blob?sig=canary`)
  })
  return served
}

async function failureOf(work: Promise<unknown>): Promise<ServicekitError> {
  const error: unknown = await work.then(
    () => expect.unreachable('it worked'),
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(ServicekitError)
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary')
  return error as ServicekitError
}

const bytesOf = async (body: ReadableStream<Uint8Array>): Promise<string> =>
  new Response(body).text()

describe.each([
  ['undici', nodeBlobs()],
  ['fetch', fetchBlobs()],
])('a download over %s', (_, blobs) => {
  const options = { blobs }
  const coreOf = (served: Served) => coreFor(served, undiciTransport())

  it.each([
    [403, 0],
    [404, 0],
    [500, 0],
    // The storage ignores the range.
    [200, 5],
    [307, 0],
  ])('fails with DOWNLOAD_FAILED after status %i and start %i', async (status, start) => {
    let closed: Promise<unknown> | undefined
    const served = await storageThat((response) => {
      closed = once(response, 'close')
      response.writeHead(status, { 'content-type': 'application/xml', location: '/other' })
      response.end(`<Error>${'x'.repeat(300_000)}</Error>`)
    })
    const work = download(coreOf(served), { fileId: 'f1' }, { ...options, start })
    expect(await failureOf(work)).toMatchObject({
      code: 'DOWNLOAD_FAILED',
      status,
      message: expect.stringMatching(/^Cannot download the file: the storage responded with/),
    })
    await closed
  })

  it('closes the connection when the caller cancels the stream', async () => {
    let closed: Promise<unknown> | undefined
    const served = await storageThat((response) => {
      closed = once(response, 'close')
      response.writeHead(200, { 'content-length': '10000000' })
      response.write('x'.repeat(100_000))
    })
    for (const readsFirst of [true, false]) {
      const { body } = await download(coreOf(served), { fileId: 'f1' }, options)
      const reader = body.getReader()
      if (readsFirst) await reader.read()
      await reader.cancel()
      expect(await closed).toBeDefined()
    }
  })

  it('reports a broken stream as DOWNLOAD_FAILED', async () => {
    const served = await storageThat((response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('partial', () => response.destroy())
    })
    const { body } = await download(coreOf(served), { fileId: 'f1' }, options)
    expect(await failureOf(bytesOf(body))).toMatchObject({ code: 'DOWNLOAD_FAILED' })
  })

  it('does not crash the process if the stream breaks before it is read', async () => {
    let response: ServerResponse | undefined
    const served = await storageThat((given) => {
      response = given
      given.writeHead(200, { 'content-length': '1000' })
      given.write('partial')
    })
    const { body } = await download(coreOf(served), { fileId: 'f1' }, options)
    const closed = once(response!, 'close')
    response!.destroy()
    await closed
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    expect(await failureOf(bytesOf(body))).toMatchObject({ code: 'DOWNLOAD_FAILED' })
  })

  it('reports an abort during the stream as REQUEST_ABORTED', async () => {
    const served = await storageThat((response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('partial')
    })
    const controller = new AbortController()
    const { signal } = controller
    const { body } = await download(coreOf(served), { fileId: 'f1' }, { ...options, signal })
    const reader = body.getReader()
    await reader.read()
    const next = reader.read()
    controller.abort(new Error('enough'))
    expect(await failureOf(next)).toMatchObject({ code: 'REQUEST_ABORTED' })
  })

  it.each([
    ['gzip', gzipSync('hello world')],
    ['br', brotliCompressSync('hello world')],
  ])('decodes %s, and does not present the encoded length as the size', async (encoding, body) => {
    const headers = { 'content-encoding': encoding, 'content-length': String(body.length) }
    const served = await storageThat(answer(200, body, headers))
    const got = await download(coreOf(served), { fileId: 'f1' }, options)
    expect(await bytesOf(got.body)).toBe('hello world')
    expect(got.sizeBytes).toBeUndefined()
  })

  it('reports a damaged encoding as DOWNLOAD_FAILED', async () => {
    const served = await storageThat(answer(200, 'no gzip', { 'content-encoding': 'gzip' }))
    const work = download(coreOf(served), { fileId: 'f1' }, options).then(({ body }) =>
      bytesOf(body),
    )
    expect(await failureOf(work)).toMatchObject({ code: 'DOWNLOAD_FAILED' })
  })

  it('ends within timeoutMs when the storage never responds', async () => {
    const served = await storageThat(() => undefined)
    const startMs = performance.now()
    const work = download(coreOf(served), { fileId: 'f1' }, { ...options, timeoutMs: 100 })
    expect(await failureOf(work)).toMatchObject({ code: 'REQUEST_TIMED_OUT' })
    expect(performance.now() - startMs).toBeLessThan(5000)
  })

  it('stops reading an endless error page after an upload', async () => {
    let sent = 0
    const served = await serve((response, request) => {
      request.resume()
      response.writeHead(404)
      const more = (): void => {
        if (response.destroyed) return
        sent += 65_536
        response.write('x'.repeat(65_536), more)
      }
      more()
    })
    const work = upload(coreOf(served), new Uint8Array(3), {
      ...options,
      name: 'a',
      resume: {
        fileId: 'f1',
        url: `${served.url}/blob?sig=canary`,
        headers: {},
        parts: undefined,
        partBytes: 10,
        sentParts: 0,
      },
    })
    expect(await failureOf(work)).toMatchObject({ code: 'UPLOAD_FAILED' })
    expect(sent).toBeLessThan(2 ** 27)
  })
})

describe.each([
  'http://[bad?sig=canary',
  'https://',
  'ftp://host/?sig=canary',
  'http://a b/?sig=canary',
])('the malformed signed URL %s', (address) => {
  it('is rejected without its signature in a download', async () => {
    const served = await serve(answer(200, { url: address }))
    const work = download(coreFor(served, undiciTransport()), { fileId: 'f1' })
    expect(await failureOf(work)).toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  it('is rejected without its signature in an upload', async () => {
    const served = await serve(answer(200, { uploadUrl: address, fileId: 'f1' }))
    const configuration = { name: 'main', strategy: 'azure' }
    const work = upload(coreFor(served, undiciTransport()), new Uint8Array(1), {
      name: 'a',
      configuration,
    })
    expect(await failureOf(work)).toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  it('is rejected without its signature as the URL of a part', async () => {
    const parts = [{ url: address }, { url: address }]
    const served = await serve(answer(200, { uploadId: 'm1', parts }))
    expect(await failureOf(uploadInParts(served))).toMatchObject({ code: 'RESPONSE_INVALID' })
  })
})

const uploadInParts = (served: Served): Promise<unknown> =>
  upload(coreFor(served, undiciTransport()), new Uint8Array(20), {
    name: 'a',
    resume: {
      fileId: 'f1',
      url: `${served.url}/blob?sig=canary`,
      headers: {},
      parts: 'urls',
      partBytes: 10,
      sentParts: 0,
      multipartUrl: `${served.url}/multipart?sig=canary`,
    },
  })

it.each([
  ['HTML', '<html>sig=canary</html>'],
  ['a number', '7'],
  ['a list', '[null]'],
  ['parts that are no objects', '{"uploadId":"m1","parts":[null,"x"]}'],
  ['parts that are no list', '{"uploadId":"m1","parts":{"length":2}}'],
])('rejects %s from the start of a multipart upload', async (_, body) => {
  const served = await serve(answer(200, body))
  expect(await failureOf(uploadInParts(served))).toMatchObject({ code: 'RESPONSE_INVALID' })
})

it('rejects HTML from the end of a multipart upload', async () => {
  const served: Served = await serve((response, request) => {
    request.resume().on('end', () => {
      if (request.method === 'PUT') return response.end()
      const parts = [1, 2].map((part) => ({ url: `${served.url}/part?sig=canary${part}` }))
      const isStart = served.requests.length === 1
      response.end(isStart ? JSON.stringify({ uploadId: 'm1', parts }) : '<html>Sign in</html>')
    })
  })
  expect(await failureOf(uploadInParts(served))).toMatchObject({ code: 'RESPONSE_INVALID' })
})

it('ends when its caller aborts, although the runtime never ends the body', async () => {
  const core = createCore({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    transport: fetchTransport(() => Response.json({ url: 'http://files.test/f1' })),
  })
  const blobs: BlobTransport = {
    put: () => Promise.reject(new Error('not used')),
    get: async () => ({ status: 200, headers: {}, body: new ReadableStream() }),
  }
  const ending = new AbortController()
  const { body } = await download(core, { fileId: 'f1' }, { signal: ending.signal, blobs })
  const reading = body.getReader().read()
  ending.abort()
  await expect(reading).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
})
