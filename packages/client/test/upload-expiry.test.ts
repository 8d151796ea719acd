import { describe, expect, it } from 'vitest'
import type { BlobTransport, PutRequest } from '../src/blobs.ts'
import { createCore, fetchTransport } from '../src/index.ts'
import { download, upload, type UploadOptions, type UploadState } from '../src/storage.ts'

type Refusal = readonly [status: number, code: string]

/** Service and storage in process, whose signed URLs expire. */
function world({
  /** Number of requests for which a URL is valid. */
  validPuts = Infinity,
  /** Number of URLs that may be signed after it while a URL is valid. */
  validSigned = Infinity,
  /** Number of requests for which the first URL is valid. */
  firstPuts = undefined as number | undefined,
  isSameFile = false,
  /** Status and error code of a refusal. */
  refusal = [403, 'AccessDenied'] as Refusal,
  /** Refuses further requests, by the query of their URL. */
  refuse = (_query: URLSearchParams): Refusal | false => false,
  signed = {} as object,
} = {}) {
  const state = { signings: 0, puts: [] as string[], stored: new Map<string, number>() }
  const used = new Map<string, number>()
  const transport = fetchTransport(async () => {
    state.signings++
    const file = isSameFile ? 'f1' : `f${state.signings}`
    const url = `http://storage.test/${file}?sig=${state.signings}`
    const multipart = {
      multipartUrl: `http://storage.test/${file}/multipart?sig=${state.signings}`,
    }
    const isMultipart = 'multipartUrl' in signed
    return Response.json({ uploadUrl: url, fileId: file, ...signed, ...(isMultipart && multipart) })
  })
  const put = async ({ url, method, size, body }: PutRequest) => {
    const { pathname, searchParams } = new URL(url)
    const signing = Number(searchParams.get('sig'))
    const count = (used.get(String(signing)) ?? 0) + 1
    // Time for the other uploads to sign.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    const isExpired =
      count > (signing === 1 ? (firstPuts ?? validPuts) : validPuts) ||
      state.signings - signing > validSigned
    const refused = isExpired ? refusal : refuse(searchParams)
    if (refused) {
      const [status, code] = refused
      return { status, headers: {}, text: `<Error><Code>${code}</Code></Error>` }
    }
    used.set(String(signing), count)
    if (method === 'POST') {
      const { parts } = JSON.parse(new TextDecoder().decode(body as Uint8Array)) as {
        parts?: number
      }
      const urls = Array.from({ length: typeof parts === 'number' ? parts : 0 }, (_, index) => ({
        url: `http://storage.test${pathname}/${index}?sig=${signing}`,
      }))
      return { status: 200, headers: {}, text: JSON.stringify({ uploadId: 'u', parts: urls }) }
    }
    state.puts.push(url.replace('http://storage.test/', ''))
    state.stored.set(pathname, (state.stored.get(pathname) ?? 0) + (size ?? 0))
    return { status: 201, headers: { etag: '"e"' }, text: '' }
  }
  const blobs = { put, get: () => expect.unreachable('a download') } as BlobTransport
  const core = createCore({ baseUrl: 'http://service.test', projectKey: 'P1', transport })
  const send = (options: Partial<UploadOptions> = {}, bytes = new Uint8Array(30)) =>
    upload(core, bytes, {
      name: 'a',
      configuration: { name: 'main', strategy: 'amazon' },
      blobs,
      ...options,
    })
  return { state, send }
}
const azure = { requiredHeaders: { 'x-ms-blob-type': 'BlockBlob' } }
const inParts = { partBytes: 10 }

describe('signed URLs of uploads', () => {
  it('are signed when it is the turn of an upload, so that none waits', async () => {
    const { state, send } = world({ validSigned: 6 })
    const files = await Promise.all(Array.from({ length: 200 }, () => send()))
    expect(new Set(files.map(({ fileId }) => fileId)).size).toBe(200)
    expect(state).toMatchObject({ signings: 200 })
  })

  it.each([401, 403])(
    'are signed again after %d, and a new file is sent as a whole',
    async (status) => {
      const { state, send } = world({ firstPuts: 0, refusal: [status, 'Refused'] })
      expect(await send()).toEqual({ fileId: 'f2', sizeBytes: 30 })
      expect(state.stored).toEqual(new Map([['/f2', 30]]))
    },
  )

  it('are signed again if the credentials that signed them have expired', async () => {
    const { state, send } = world({ validSigned: 0, firstPuts: 0, refusal: [400, 'ExpiredToken'] })
    expect(await send()).toEqual({ fileId: 'f2', sizeBytes: 30 })
    expect(state.signings).toBe(2)
  })

  it('are not signed again if the storage refuses the request itself', async () => {
    const { state, send } = world({ validPuts: 0, refusal: [400, 'InvalidArgument'] })
    await expect(send()).rejects.toMatchObject({ code: 'UPLOAD_FAILED', status: 400 })
    expect(state.signings).toBe(1)
  })

  it('are signed again on resume, and every block is sent, if the storage deleted the blocks', async () => {
    const blocks = new Set<string | null>()
    const { state, send } = world({
      isSameFile: true,
      signed: azure,
      refuse: (query) => {
        if (query.get('comp') !== 'blocklist') blocks.add(query.get('blockid'))
        return blocks.size < 3
          ? query.get('comp') === 'blocklist' && [400, 'InvalidBlockList']
          : false
      },
    })
    const resume: UploadState = {
      fileId: 'f1',
      url: 'http://storage.test/f1?sig=0',
      headers: {},
      parts: 'blocks',
      partBytes: 10,
      sentParts: 2,
    }
    expect(await send({ ...inParts, resume })).toEqual({ fileId: 'f1', sizeBytes: 30 })
    expect([blocks.size, state.signings]).toEqual([3, 1])
  })

  it('are signed again once if the storage never knows the blocks', async () => {
    const { state, send } = world({
      isSameFile: true,
      signed: azure,
      refuse: (query) => query.get('comp') === 'blocklist' && [400, 'InvalidBlockList'],
    })
    await expect(send(inParts)).rejects.toMatchObject({ code: 'UPLOAD_FAILED', status: 400 })
    expect(state.signings).toBe(2)
  })

  it('are signed again on resume, and every part is sent, if the storage deleted the parts', async () => {
    const { state, send } = world({
      validSigned: 0,
      signed: { multipartUrl: true },
      refusal: [404, 'NoSuchUpload'],
    })
    const resume: UploadState = {
      fileId: 'old',
      url: 'http://storage.test/old?sig=-1',
      headers: {},
      parts: 'urls',
      partBytes: 10,
      sentParts: 2,
      multipartUrl: 'http://storage.test/old/multipart?sig=-1',
      multipart: {
        uploadId: 'u',
        urls: [0, 1, 2].map((part) => `http://storage.test/old/${part}?sig=-1`),
        etags: ['"e"', '"e"'],
      },
    }
    expect(await send({ ...inParts, resume })).toEqual({ fileId: 'f1', sizeBytes: 30 })
    expect(state.puts).toEqual([0, 1, 2].map((part) => `f1/multipart/${part}?sig=1`))
  })

  it('are not signed for ever', async () => {
    const { state, send } = world({ validPuts: 0 })
    await expect(send()).rejects.toMatchObject({ code: 'UPLOAD_FAILED', status: 403 })
    expect(state.signings).toBe(2)
  })

  it('are signed again on resume if the saved one has expired', async () => {
    const { state, send } = world({ validSigned: 0 })
    const resume: UploadState = {
      fileId: 'old',
      url: 'http://storage.test/old?sig=-1',
      headers: {},
      parts: undefined,
      partBytes: 10,
      sentParts: 0,
    }
    expect(await send({ resume })).toEqual({ fileId: 'f1', sizeBytes: 30 })
    expect(state.puts).toEqual(['f1?sig=1'])
  })

  it('continue with the next part if the new URL is that of the same file', async () => {
    const { state, send } = world({ validPuts: 2, isSameFile: true, signed: azure })
    expect(await send(inParts)).toEqual({ fileId: 'f1', sizeBytes: 30 })
    expect(state.puts.map((url) => url.replace(/&blockid=.*/, ''))).toEqual([
      'f1?sig=1&comp=block',
      'f1?sig=1&comp=block',
      'f1?sig=2&comp=block',
      'f1?sig=2&comp=blocklist',
    ])
  })

  it('begin with the first part if the new URL is that of another file', async () => {
    const { state, send } = world({ validSigned: 0, signed: azure })
    const resume: UploadState = {
      fileId: 'old',
      url: 'http://storage.test/old?sig=-1',
      headers: {},
      parts: 'blocks',
      partBytes: 10,
      sentParts: 2,
    }
    expect(await send({ ...inParts, resume })).toEqual({ fileId: 'f1', sizeBytes: 30 })
    expect(state.puts).toHaveLength(4)
  })

  it('end an upload in parts that never fits into the life of a URL', async () => {
    const { state, send } = world({ validPuts: 2, signed: azure })
    await expect(send(inParts)).rejects.toMatchObject({ status: 403 })
    expect(state.signings).toBeLessThan(4)
  })

  it('start an upload with a URL per part again', async () => {
    // The start and two parts.
    const { state, send } = world({ firstPuts: 3, signed: { multipartUrl: true } })
    expect(await send(inParts)).toEqual({ fileId: 'f2', sizeBytes: 30 })
    expect(state.puts.map((url) => url.slice(-1))).toEqual(['1', '1', '2', '2', '2'])
  })

  it('are not signed again for a stream that was read', async () => {
    const { state, send } = world({ validPuts: 0 })
    const source = new Blob([new Uint8Array(30)]).stream() as unknown as Uint8Array<ArrayBuffer>
    await expect(send({ size: 30 }, source)).rejects.toMatchObject({ status: 403 })
    expect(state.signings).toBe(1)
  })

  it('are not signed for an upload that was aborted while it waited', async () => {
    const { state, send } = world()
    const controller = new AbortController()
    const uploads = Array.from({ length: 6 }, () => send())
    const waiting = send({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
    await Promise.all(uploads)
    expect(state.signings).toBe(6)
  })
})

it('gets the URL of a download again if it has expired, once', async () => {
  let signings = 0
  const transport = fetchTransport(() => new Response(`http://storage.test/f1?sig=${++signings}`))
  const core = createCore({ baseUrl: 'http://service.test', projectKey: 'P1', transport })
  const blobsUntil = (valid: number, status = 403) =>
    ({
      get: async ({ url }: { url: string }) => ({
        status: url.endsWith(String(valid)) ? 200 : status,
        headers: {},
        body: new Blob(['text']).stream(),
      }),
    }) as unknown as BlobTransport
  const { body } = await download(core, { fileId: 'f1' }, { blobs: blobsUntil(2) })
  expect(await new Response(body).text()).toBe('text')
  const failed = download(core, { fileId: 'f1' }, { blobs: blobsUntil(0) })
  await expect(failed).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED', status: 403 })
  expect(signings).toBe(4)
  for (const [valid, status] of [
    [6, 400],
    [8, 401],
  ] as const) {
    const blobs = blobsUntil(valid, status)
    const { body: other } = await download(core, { fileId: 'f1' }, { blobs })
    expect(await new Response(other).text()).toBe('text')
  }
})
