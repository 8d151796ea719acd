import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fetchBlobs } from '../src/blobs-fetch.ts'
import { nodeBlobs } from '../src/blobs-node.ts'
import { type Core, createCore } from '../src/index.ts'
import {
  download,
  getDownloadUrl,
  listConfigurations,
  upload,
  type UploadState,
} from '../src/storage.ts'

interface Put {
  readonly query: string
  readonly headers: IncomingMessage['headers']
  readonly size: number
  readonly hash: string
}

/** Service with a storage backend; tests select the backend and its faults. */
const world = {
  configurations: [] as unknown,
  presigned: {} as object,
  asked: [] as Record<string, unknown>[],
  puts: [] as Put[],
  /** Responses to PUTs in order, then 201; `cut` breaks the connection. */
  faults: [] as (number | 'cut')[],
  download: '' as unknown,
}
let url: string
const server = createServer((request, response) => void answer(request, response))

async function answer(
  request: IncomingMessage,
  response: Parameters<NonNullable<Parameters<typeof createServer>[1]>>[1],
): Promise<void> {
  const { pathname, search } = new URL(request.url!, 'http://host')
  const reply = (body: unknown): void => void response.end(JSON.stringify(body))
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length
      hash.update(chunk as Buffer)
      if (request.method === 'POST') chunks.push(chunk as Buffer)
    }
  } catch {
    return
  }
  if (pathname.endsWith('/Storage/Gets')) return reply(world.configurations)
  if (pathname === '/multipart') {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { parts?: number }
    world.asked.push(body)
    if (typeof body.parts !== 'number') return reply({})
    const addresses = Array.from({ length: body.parts }, (_, index) => ({
      part: index + 1,
      url: `${url}/blob?part=${index + 1}`,
    }))
    return reply({ uploadId: 'm1', parts: addresses })
  }
  if (request.method === 'POST') {
    world.asked.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>)
    return reply(world.presigned)
  }
  if (request.method === 'PUT') {
    const fault = world.faults.shift()
    const { headers } = request
    world.puts.push({ query: search, headers, size, hash: hash.digest('hex') })
    if (fault === 'cut') return void response.destroy()
    if (fault) response.writeHead(fault)
    else response.writeHead(201, { etag: `"e${world.puts.length}"` })
    return void response.end(fault ? '<Error><Code>AuthFailed</Code>sig=canary</Error>' : '')
  }
  if (pathname.endsWith('/GetFile')) {
    return void response.end(
      typeof world.download === 'string' ? world.download : JSON.stringify(world.download),
    )
  }
  const range = /bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1]
  response.writeHead(range ? 206 : 200, { 'content-type': 'text/plain' })
  response.end('hello world'.slice(Number(range ?? 0)))
}

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  Object.assign(world, { asked: [], puts: [], faults: [] })
  world.configurations = { data: [{ name: 'main', storageStrategy: 'S3Compatible' }] }
  world.presigned = { isSuccess: true, uploadUrl: `${url}/blob?sig=canary`, fileId: 'f1' }
})
const configuration = { name: 'main', strategy: 's3compatible' }
const azure = (): void => {
  world.configurations = { items: [{ name: 'blobs', storageStrategy: 'azure' }] }
}
const core = (): Core =>
  createCore({
    baseUrl: url,
    projectKey: 'P1',
    headers: { authorization: 'Bearer canary-token', cookie: 'session=canary' },
  })
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const bytes = Uint8Array.from({ length: 250_000 }, (_, index) => (index * 31) % 251)
async function* stream(chunkBytes = 70_001) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

describe.each([
  ['undici', nodeBlobs()],
  ['fetch', fetchBlobs()],
])('an upload over %s', (_, blobs) => {
  it('requests a signed URL and sends the bytes there, without headers of the client', async () => {
    const progress: number[] = []
    const file = new Blob([bytes], { type: 'image/png' })
    const onProgress = ({ sentBytes }: { sentBytes: number }): void => void progress.push(sentBytes)
    const uploaded = await upload(core(), file, {
      name: 'logo.png',
      accessModifier: 'Public',
      tags: ['a'],
      metaData: { w: { type: 'Integer', value: 7 } },
      blobs,
      onProgress,
    })
    expect(uploaded).toEqual({ fileId: 'f1', sizeBytes: 250_000 })
    expect(world.asked).toEqual([
      {
        name: 'logo.png',
        accessModifier: 'Public',
        tags: '["a"]',
        metaData: '{"w":{"type":"Integer","value":7}}',
        projectKey: 'P1',
        configurationName: 'main',
      },
    ])
    expect(world.puts).toMatchObject([{ query: '?sig=canary', size: 250_000, hash: sha256(bytes) }])
    const { headers } = world.puts[0]!
    expect(headers['content-type']).toBe('image/png')
    expect(JSON.stringify(headers)).not.toMatch(/canary|x-service-key|x-ms-|cookie|authorization/)
    expect(progress.at(-1)).toBe(250_000)
  })

  it.each([
    ['a Blob', () => new Blob([bytes])],
    ['bytes', () => bytes],
    ['an iterable', () => stream()],
    ['a web stream', () => new Blob([bytes]).stream()],
    [
      'a file that can be opened again',
      () => ({ size: bytes.length, open: (start: number) => stream(70_001 + start) }),
    ],
  ])('accepts %s', async (_, source) => {
    await upload(core(), source(), { name: 'a', size: bytes.length, blobs })
    expect(world.puts).toMatchObject([{ size: bytes.length, hash: sha256(bytes) }])
  })

  it('sends the blob type to Azure only', async () => {
    azure()
    await upload(core(), bytes, { name: 'a', blobs })
    expect(world.puts[0]!.headers['x-ms-blob-type']).toBe('BlockBlob')
  })

  it('sends the headers that the instance requires, unchanged', async () => {
    azure()
    world.presigned = {
      data: {
        PreSignedUrl: `${url}/blob?sig=canary`,
        ItemId: 'f2',
        RequiredHeaders: { 'X-Custom': 'a', 'Content-Type': 'text/x' },
      },
    }
    expect(await upload(core(), bytes, { name: 'a', blobs })).toMatchObject({ fileId: 'f2' })
    const { headers } = world.puts[0]!
    expect(headers).toMatchObject({ 'x-custom': 'a', 'content-type': 'text/x' })
    expect(headers['x-ms-blob-type']).toBeUndefined()
  })

  it('sends a large file to Azure in parts, and retries each part', async () => {
    azure()
    world.faults = [201, 503, 'cut']
    const states: UploadState[] = []
    const uploaded = await upload(core(), stream(), {
      name: 'a',
      partBytes: 100_000,
      contentMd5: 'bWQ1',
      blobs,
      onState: (state) => void states.push(state),
    })
    expect(uploaded.sizeBytes).toBe(250_000)
    expect(world.puts.map(({ size }) => size).slice(0, 5)).toEqual([
      100_000, 100_000, 100_000, 100_000, 50_000,
    ])
    expect(world.puts[1]!.hash).toBe(world.puts[3]!.hash)
    expect(world.puts.at(-1)).toMatchObject({
      query: '?sig=canary&comp=blocklist',
      headers: { 'x-ms-blob-content-md5': 'bWQ1' },
    })
    expect(states.map(({ sentParts }) => sentParts)).toEqual([1, 2, 3])
  })

  it('is resumed after a broken connection, with at most one part sent twice', async () => {
    azure()
    let state: UploadState | undefined
    const controller = new AbortController()
    const cut = upload(core(), new Blob([bytes]), {
      name: 'a',
      partBytes: 50_000,
      blobs,
      signal: controller.signal,
      onState: (now) => {
        state = now
        if (now.sentParts === 2) controller.abort(new Error('enough'))
      },
    })
    await expect(cut).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
    const before = world.puts.length
    const resume = JSON.parse(JSON.stringify(state)) as UploadState
    expect(await upload(core(), stream(), { name: 'a', resume, blobs })).toMatchObject({
      sizeBytes: 250_000,
    })
    const parts = world.puts.filter(({ query }) => query.includes('comp=block&'))
    expect(before + 3 + 1).toBe(world.puts.length)
    expect(new Set(parts.map(({ query }) => query)).size).toBe(5)
    expect(world.asked).toHaveLength(1)
  })

  it('sends parts to S3 at their signed URLs, is resumed, and leaves nothing after an abort', async () => {
    world.presigned = {
      isSuccess: true,
      uploadUrl: `${url}/blob?sig=canary`,
      fileId: 'f1',
      multipartUrl: `${url}/multipart`,
    }
    const whole = { name: 'a', partBytes: 100_000, blobs, configuration }
    expect(await upload(core(), bytes, whole)).toMatchObject({ sizeBytes: 250_000 })
    expect(world.puts.map(({ query, size }) => [query, size])).toEqual([
      ['?part=1', 100_000],
      ['?part=2', 100_000],
      ['?part=3', 50_000],
    ])
    expect(world.asked.slice(1)).toEqual([
      { parts: 3, contentType: 'application/octet-stream' },
      {
        uploadId: 'm1',
        parts: [
          { part: 1, etag: '"e1"' },
          { part: 2, etag: '"e2"' },
          { part: 3, etag: '"e3"' },
        ],
      },
    ])

    let state: UploadState | undefined
    world.faults = [201, 404]
    const onState = (now: UploadState): void => void (state = now)
    const cut = upload(core(), bytes, { ...whole, onState })
    await expect(cut).rejects.toMatchObject({ status: 404 })
    world.puts.length = 0
    const resume = JSON.parse(JSON.stringify(state)) as UploadState
    await upload(core(), stream(), { ...whole, size: bytes.length, resume, onState })
    expect(world.puts.map(({ query }) => query)).toEqual(['?part=2', '?part=3'])

    world.faults = [404]
    await expect(upload(core(), bytes, whole)).rejects.toMatchObject({ status: 404 })
    expect(world.asked.at(-1)).toEqual({ uploadId: 'm1', abort: true })
  })

  it('restarts from zero without parts, and fails for a consumed stream', async () => {
    world.faults = [500, 'cut']
    await upload(core(), bytes, { name: 'a', blobs })
    expect(world.puts.map(({ hash }) => hash)).toEqual(Array(3).fill(sha256(bytes)))
    world.faults = [500]
    const spent = upload(core(), stream(), { name: 'a', size: bytes.length, blobs })
    await expect(spent).rejects.toMatchObject({ code: 'UPLOAD_FAILED', status: 500 })
    expect(world.puts).toHaveLength(4)
  })

  it('reports the error code of the backend, without the signature', async () => {
    world.faults = [403, 403]
    const error = (await upload(core(), bytes, { name: 'a', blobs }).catch(
      (cause: unknown) => cause,
    )) as Error
    expect(error).toMatchObject({ code: 'UPLOAD_FAILED', status: 403 })
    expect(error.message.replace(/127\S+/, 'host')).toBe(
      'Cannot upload the file: the storage responded with 403\n' +
        '  host: host\n  status: 403\n  message: AuthFailed',
    )
  })

  it('is downloaded as a stream, from any byte', async () => {
    world.download = `${url}/file?sig=canary`
    const whole = await download(core(), { fileId: 'f1' }, { blobs })
    expect(whole.type).toBe('text/plain')
    expect(await new Response(whole.body).text()).toBe('hello world')
    const rest = await download(core(), { fileId: 'f1' }, { blobs, start: 6 })
    expect(await new Response(rest.body).text()).toBe('world')
  })
})

it.each([
  ['plain text', 'https://s.test/a?b=1\n'],
  ['JSON', '"https://s.test/a?b=1"'],
  ['url', { url: 'https://s.test/a?b=1' }],
  ['another casing', { DownloadUrl: 'https://s.test/a?b=1' }],
  ['data', { isSuccess: true, data: 'https://s.test/a?b=1' }],
  ['an object in data', { data: { Url: 'https://s.test/a?b=1' } }],
])('finds the download URL in %s', async (_, body) => {
  world.download = body
  expect(await getDownloadUrl(core(), { fileId: 'f1' })).toBe('https://s.test/a?b=1')
})

it.each([['javascript:alert(1)'], [''], ['{}'], ['<html>']])(
  'takes %j for no address',
  async (body) => {
    world.download = body
    const failure = getDownloadUrl(core(), { fileId: 'f1' })
    await expect(failure).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  },
)

it('returns only the name and strategy of a configuration', async () => {
  world.configurations = [
    { Name: 'main', StorageStrategy: 'AMAZON', secretKey: 'canary', connection: 'canary' },
  ]
  expect(await listConfigurations(core())).toEqual([
    { itemId: undefined, name: 'main', strategy: 'amazon' },
  ])
  world.configurations = { connection: 'canary' }
  const error = await listConfigurations(core()).catch((cause: unknown) => cause as Error)
  expect(JSON.stringify(error) + String(error)).not.toContain('canary')
})

it('rejects a file without a name, a stream without a size, and a failure with status 200', async () => {
  await expect(upload(core(), bytes)).rejects.toThrow('name is required')
  await expect(upload(core(), stream(), { name: 'a' })).rejects.toThrow('size is required')
  world.presigned = { isSuccess: false, errors: { name: 'is taken' } }
  await expect(upload(core(), bytes, { name: 'a' })).rejects.toMatchObject({
    code: 'OPERATION_FAILED',
    body: { errors: { name: 'is taken' } },
  })
})
