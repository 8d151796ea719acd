import { BlockBlobClient } from '@azure/storage-blob'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { Rejection, storage as wire } from '@servicekit/contract'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPlatform, type Platform, type StorageOptions } from '../src/index.ts'
import { listen, type Listening } from '../src/node.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { startAzurite } from '@servicekit/testing/azurite'
import { control } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { startSwift, swiftFault } from '@servicekit/testing/swift'

type Kind = 'Local' | 'Azure' | 'S3Compatible'

interface Cloud {
  readonly storage: StorageOptions
  readonly stop: () => Promise<void>
  /** Reads an object from the server with a third-party client. */
  readonly read: (systemName: string) => Promise<string>
}

const clouds: Record<Kind, () => Promise<Cloud>> = {
  Local: async () => ({
    storage: { name: 'Cloud', strategy: 'Local' },
    stop: async () => {},
    read: async () => '',
  }),
  Azure: async () => {
    const { client, ...azurite } = await startAzurite()
    const read = async (name: string) =>
      (await client.getBlobClient(`P/${name}`).downloadToBuffer()).toString()
    return { ...azurite, read }
  },
  S3Compatible: async () => {
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    const { client, ...swift } = await startSwift()
    const read = async (name: string) => {
      const found = await client.send(new GetObjectCommand({ Bucket: 'files', Key: `P/${name}` }))
      return (await found.Body!.transformToString()) ?? ''
    }
    return { ...swift, read }
  },
}

describe.each<Kind>(['Local', 'Azure', 'S3Compatible'])('files in %s', (kind) => {
  let cloud: Cloud
  let platform: Platform
  let server: Listening
  let missing: string | undefined
  let advancedMs = 0
  beforeAll(async () => {
    missing = kind === 'S3Compatible' ? await swiftFault() : undefined
    if (missing) return
    cloud = await clouds[kind]()
    platform = asAdministrator(
      await createPlatform({
        storage: [cloud.storage, { name: 'Second', strategy: 'Local' }],
        maxUploadBytes: 1_000_000,
        projects: [project('P'), project('Q'), project('T', {}, { dialect: { download: 'text' } })],
        clock: () => new Date(Date.now() + advancedMs),
      }),
    )
    server = await listen(platform)
  }, 400_000)
  beforeEach(({ skip }) => {
    if (missing) skip(`no S3 server that verifies signatures: ${missing}`)
  })
  afterEach(() => vi.useRealTimers())
  afterAll(async () => {
    await server?.close()
    await platform?.close()
    await cloud?.stop()
  })

  const call = async (path: string, body?: unknown, key = 'P') =>
    fetch(`${server.baseUrl}${path}`, {
      headers: { 'x-service-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
  const presign = async (body: object, key = 'P') => {
    const response = await call('/data/v4/Files/GetPreSignedUrlForUpload', body, key)
    return wire.PresignedUpload.parse(await response.json())
  }
  const put = (url: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'PUT',
      headers: {
        'content-type': 'text/plain',
        ...(kind === 'Azure' ? { 'x-ms-blob-type': 'BlockBlob' } : {}),
        ...headers,
      },
      body: body as string,
    })
  const upload = async (text: string, body: object = {}) => {
    const signed = await presign({ name: 'a.txt', ...body })
    const response = await put(signed.preSignedUrl!, text)
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    // Looks at the object at once, unlike a list.
    expect((await getFile(signed.fileId!)).status).toBe(200)
    return signed.fileId!
  }
  const list = async (filter: object = {}, more: object = {}) => {
    const response = await call('/data/v4/Files/GetFilesInfo', { filter, ...more })
    return wire.listFiles.responses[200].schema.parse(await response.json())
  }
  const getFile = (id: string, query = '') => call(`/data/v4/Files/GetFile?FileId=${id}${query}`)
  const download = async (id: string) => {
    const { url } = (await (await getFile(id)).json()) as { url: string }
    return url
  }

  it('belong to configurations that are listed without credentials', async () => {
    const response = await call('/logic/v4/Storage/Gets')
    expect(await response.json()).toEqual([
      { itemId: 'Cloud', name: 'Cloud', storageStrategy: kind },
      { itemId: 'Second', name: 'Second', storageStrategy: 'Local' },
    ])
  })

  it('are uploaded in two steps, listed, and downloaded', async () => {
    const signed = await presign({
      name: 'Füße & more.txt',
      metaData: '{"pages":{"type":"Number","value":3},"title":"T"}',
      parentDirectoryId: 'd1',
      tags: '["x","y"]',
      accessModifier: 'Public',
      moduleName: 10,
      configurationName: 'Cloud',
      projectKey: 'P',
    })
    expect(signed).toMatchObject({
      isSuccess: true,
      errors: null,
      requiredHeaders: kind === 'Azure' ? { 'x-ms-blob-type': 'BlockBlob' } : {},
    })
    const left = Date.parse(signed.uploadUrlExpiresAtUtc!) - Date.now()
    expect(left).toBeGreaterThan(13 * 60_000)
    expect(left).toBeLessThanOrEqual(15 * 60_000)
    expect((await list({ parentDirectoryId: 'd1' })).totalCount).toBe(0)
    expect((await getFile(signed.fileId!)).status).toBe(404)

    const response = await put(signed.preSignedUrl!, 'hello')
    expect([200, 201]).toContain(response.status)

    const inDirectory = () => list({ parentDirectoryId: 'd1' })
    await expect.poll(inDirectory).toMatchObject({ totalCount: 1, errors: null })
    const found = await inDirectory()
    expect(wire.File.parse(found.data[0])).toMatchObject({
      itemId: signed.fileId,
      name: 'Füße & more.txt',
      parentDirectoryID: 'd1',
      accessModifier: 'Public',
      metaData: { pages: { type: 'Number', value: 3 }, title: { type: 'String', value: 'T' } },
      sizeInBytes: 5,
      tags: ['x', 'y'],
      currentVersion: 1,
    })
    const kept = await cloud.read(found.data[0]!.systemName!)
    expect(kept).toBe(kind === 'Local' ? '' : 'hello')
    const url = await download(signed.fileId!)
    const bytes = await fetch(url)
    expect([bytes.status, await bytes.text()]).toEqual([200, 'hello'])
    expect(bytes.headers.get('content-disposition')).toContain(
      "UTF-8''F%C3%BC%C3%9Fe%20%26%20more.txt",
    )
    const open = await fetch(found.data[0]!.url!)
    expect([open.status, await open.text()]).toEqual([200, 'hello'])
  })

  it('are rejected for a URL that was changed, or is used with another name or method', async () => {
    const { preSignedUrl, fileId } = await presign({ name: 'b.txt' })
    const other = await presign({ name: 'c.txt' })
    const url = new URL(preSignedUrl!)
    const changed = (change: (copy: URL) => void) => {
      const copy = new URL(url)
      change(copy)
      return copy.href
    }
    const signatureName = { Local: 'signature', Azure: 'sig', S3Compatible: 'X-Amz-Signature' }[
      kind
    ]
    const expiryName = { Local: 'expires', Azure: 'se', S3Compatible: 'X-Amz-Expires' }[kind]
    const forged = [
      changed((copy) => {
        const signature = copy.searchParams.get(signatureName)!
        const flipped = signature.startsWith('a') ? 'b' : 'a'
        copy.searchParams.set(signatureName, flipped + signature.slice(1))
      }),
      changed((copy) => copy.searchParams.delete(signatureName)),
      changed((copy) => (copy.pathname = new URL(other.preSignedUrl!).pathname)),
      changed((copy) => (copy.pathname = copy.pathname.replace(/[^/]+$/, 'd.txt'))),
      changed((copy) => {
        const later = {
          Local: '9999999999',
          Azure: '2099-01-01T00:00:00Z',
          S3Compatible: '604000',
        }[kind]
        copy.searchParams.set(expiryName, later)
      }),
      ...(kind === 'Local' ? [changed((copy) => copy.searchParams.set('limit', '9999999'))] : []),
    ]
    for (const address of forged) expect((await put(address, 'evil')).status).toBe(403)
    expect((await fetch(url)).status).toBe(403)
    expect((await fetch(url, { method: 'DELETE' })).ok).toBe(false)
    expect((await getFile(fileId!)).status).toBe(404)
    expect((await put(url.href, 'good')).ok).toBe(true)
    expect(await (await fetch(await download(fileId!))).text()).toBe('good')
    const reading = await download(fileId!)
    expect((await put(reading, 'evil')).status).toBe(403)
    expect((await fetch(reading, { method: 'DELETE' })).ok).toBe(false)
    expect(await (await fetch(await download(fileId!))).text()).toBe('good')
  })

  if (kind === 'Local') {
    it('are rejected for an expired URL', async () => {
      const id = await upload('text')
      const { preSignedUrl } = await presign({ name: 'late.txt' })
      const reading = await download(id)
      advancedMs = 5 * 60_000 + 1000
      expect((await fetch(reading)).status).toBe(403)
      expect((await put(preSignedUrl!, 'just in time')).status).toBe(201)
      advancedMs = 15 * 60_000 + 1000
      expect((await put(preSignedUrl!, 'late')).status).toBe(403)
      advancedMs = 0
    })
  }

  it('are returned as text in the dialect of the project that requires it', async () => {
    const signed = await presign({ name: 't.txt' }, 'T')
    const stored = await put(signed.preSignedUrl!, 'text')
    expect(stored.ok, await stored.text()).toBe(true)
    const response = await call(`/data/v4/Files/GetFile?FileId=${signed.fileId}`, undefined, 'T')
    const url = await response.text()
    expect(response.headers.get('content-type'), url).toContain('text/plain')
    expect(await (await fetch(url)).text()).toBe('text')
  })

  it('are found by name, tag, id and kind, in pages from 0', async () => {
    const first = await upload('1', { name: 'one.txt', tags: 'p,q', parentDirectoryId: 'pages' })
    const second = await upload('22', { name: 'two.txt', tags: 'q', parentDirectoryId: 'pages' })
    const within = { parentDirectoryId: 'pages' }
    const names = async (filter: object, more: object = {}) =>
      (await list({ ...within, ...filter }, more)).data.map(({ name }) => name)
    expect(await names({ tags: ['p'] })).toEqual(['one.txt'])
    expect(await names({ name: 'TWO' })).toEqual(['two.txt'])
    expect(await names({ itemIds: [second] })).toEqual(['two.txt'])
    expect(await names({ accessModifier: 'public' })).toEqual([])
    expect(await names({ unknown: 1 })).toEqual(['one.txt', 'two.txt'])
    const sort = { property: 'sizeInBytes', isDescending: true }
    expect(await names({}, { page: 0, pageSize: 1, sort })).toEqual(['two.txt'])
    expect(await names({}, { page: 1, pageSize: 1, sort })).toEqual(['one.txt'])
    expect((await list(within, { pageSize: 1 })).totalCount).toBe(2)
    expect(first).not.toBe(second)
  })

  it('are removed by a control route with their bytes', async () => {
    const id = await upload('gone')
    const reading = await download(id)
    expect((await control(platform, 'Q', 'DELETE', `/files/${id}`)).status).toBe(404)
    expect((await control(platform, 'P', 'DELETE', `/files/${id}`)).status).toBe(204)
    expect((await getFile(id)).status).toBe(404)
    expect((await fetch(reading)).ok).toBe(false)
  })

  it('belong to their project', async () => {
    const id = await upload('mine')
    const theirs = await call(`/data/v4/Files/GetFile?FileId=${id}`, undefined, 'Q')
    expect([theirs.status, Rejection.safeParse(await theirs.json()).success]).toEqual([404, true])
    const listed = await call('/data/v4/Files/GetFilesInfo', { filter: { itemIds: [id] } }, 'Q')
    expect(await listed.json()).toMatchObject({ data: [], totalCount: 0 })
    expect((await getFile(id, '&ConfigurationName=Second')).status).toBe(404)
    expect((await getFile('nothing')).status).toBe(404)
  })

  if (kind === 'Azure') {
    it('accept blocks from the client of Azure, and reject uploads without the blob type', async () => {
      const { preSignedUrl, fileId } = await presign({ name: 'large.bin' })
      const bytes = Buffer.alloc(700_000, 7)
      const client = new BlockBlobClient(preSignedUrl!)
      await client.uploadData(bytes, { blockSize: 200_000, maxSingleShotSize: 1 })
      const got = await (await fetch(await download(fileId!))).arrayBuffer()
      expect(Buffer.from(got).equals(bytes)).toBe(true)
      const plain = await presign({ name: 'plain.bin' })
      const refused = await fetch(plain.preSignedUrl!, { method: 'PUT', body: 'x' })
      expect(refused.status).toBe(400)
    })
  }

  if (kind === 'S3Compatible') {
    it('are uploaded in parts, each with a URL of its own', async () => {
      const { multipartUrl, fileId } = (await presign({ name: 'parts.bin' })) as unknown as {
        multipartUrl: string
        fileId: string
      }
      const send = (body: object) =>
        fetch(multipartUrl, { method: 'POST', body: JSON.stringify(body) })
      const begun = (await (await send({ parts: 2 })).json()) as {
        uploadId: string
        parts: { part: number; url: string }[]
      }
      const bodies = [Buffer.alloc(5 * 1024 * 1024, 1), Buffer.from('end')]
      const parts = await Promise.all(
        begun.parts.map(async ({ part, url }) => {
          const sent = await fetch(url, { method: 'PUT', body: bodies[part - 1]! })
          return { part, etag: sent.headers.get('etag')! }
        }),
      )
      expect((await send({ parts: 'many' })).status).toBe(400)
      const done = await send({ uploadId: begun.uploadId, parts: parts.reverse() })
      expect(await done.json()).toMatchObject({ isSuccess: true, sizeInBytes: 5 * 1024 * 1024 + 3 })
      const got = Buffer.from(await (await fetch(await download(fileId))).arrayBuffer())
      expect(got.equals(Buffer.concat(bodies))).toBe(true)
      const given = (await (await send({ parts: 1 })).json()) as { uploadId: string }
      expect((await send({ uploadId: given.uploadId, abort: true })).status).toBe(204)
      const [, first] = /signature=(.)/.exec(multipartUrl)!
      const tampered = multipartUrl.replace(/signature=./, `signature=${first === '_' ? 'a' : '_'}`)
      expect((await fetch(tampered, { method: 'POST' })).status).toBe(403)
    })
  }

  it('have the size and type of the bytes that are stored if uploads of one URL overlap', async () => {
    const signed = await presign({ name: 'a.txt' })
    const rounds = kind === 'Local' ? 20 : 5
    for (let round = 0; round < rounds; round++) {
      const uploads = ['audio/a', 'audio/b', 'audio/c', 'audio/d'].map((type, index) =>
        put(signed.preSignedUrl!, type.repeat(1 + index * 1000 + round), { 'content-type': type }),
      )
      // A look finds the first of them, and its result must not stay.
      await Promise.any(uploads)
      await getFile(signed.fileId!)
      for (const { ok } of await Promise.all(uploads)) expect(ok).toBe(true)
      const response = await fetch(await download(signed.fileId!))
      const text = await response.text()
      const type = text.slice(0, 7)
      expect(response.headers.get('content-type')).toBe(type)
      const record = async () => {
        const { data } = await list({ itemIds: [signed.fileId] })
        return data[0]
      }
      await expect.poll(record).toMatchObject({
        sizeInBytes: text.length,
        additionalProperties: { contentType: type },
      })
    }
    await control(platform, 'P', 'DELETE', `/files/${signed.fileId}`)
  })

  it('are removed with their project, and restored from an export', async () => {
    await platform.loadProject(project('G'))
    const signed = await presign({ name: 'a.txt' }, 'G')
    await put(signed.preSignedUrl!, 'bytes of G')
    const found = await call(`/data/v4/Files/GetFile?FileId=${signed.fileId}`, undefined, 'G')
    const { url } = (await found.json()) as { url: string }
    const path = `/projects/G/files/${signed.fileId}`
    const bytes = () => fetch(`${server.baseUrl}/_platform${path}`)
    expect(await (await bytes()).text()).toBe('bytes of G')
    const exportOf = async () => {
      const text = await (await control(platform, 'G', 'GET', '/export')).text()
      return JSON.parse(
        text.replaceAll(/"stored_at":\s*"[^"]*"/g, '"stored_at":"checked"'),
      ) as object
    }
    const exported = await (await control(platform, 'G', 'GET', '/export')).json()
    const before = await exportOf()
    expect((await control(platform, 'G', 'DELETE', '')).status).toBe(204)
    expect((await fetch(url)).ok).toBe(false)

    const imported = await fetch(`${server.baseUrl}/_platform/projects`, {
      method: 'POST',
      body: JSON.stringify(exported),
    })
    expect(imported.status).toBe(200)
    expect((await bytes()).status).toBe(404)
    const sent = await fetch(`${server.baseUrl}/_platform${path}`, {
      method: 'PUT',
      body: 'bytes of G',
    })
    expect(sent.status).toBe(204)
    expect(await (await bytes()).text()).toBe('bytes of G')
    expect(await exportOf()).toEqual(before)
    await control(platform, 'G', 'DELETE', '')
    expect((await bytes()).status).toBe(404)
  })

  if (kind !== 'Local') {
    // The last one: its clock is that of the process, with which jobs that look for uploads would
    // be rejected, so that the platform of the other tests ends before.
    it('are rejected for an expired URL', async () => {
      await server.close()
      await platform.close()
      const own = await createPlatform({ storage: [cloud.storage], projects: [project('P')] })
      platform = asAdministrator(own)
      server = await listen(platform)
      const id = await upload('text')
      // These servers use their own clocks: an address that was signed long ago has expired.
      vi.useFakeTimers({ now: Date.now() - 3_600_000, toFake: ['Date'] })
      const { preSignedUrl } = await presign({ name: 'late.txt' })
      const reading = await download(id)
      await server.close()
      await platform.close()
      vi.useRealTimers()
      expect((await put(preSignedUrl!, 'late')).status).toBe(403)
      expect((await fetch(reading)).status).toBe(403)
    })
  }

  if (kind === 'Local') {
    it('may have the maximum size, with or without a content length', async () => {
      const { preSignedUrl, fileId } = await presign({ name: 'big.bin' })
      expect((await put(preSignedUrl!, Buffer.alloc(1_000_001))).status).toBe(413)
      const stream = new ReadableStream({
        start(controller) {
          for (let count = 0; count < 11; count++) controller.enqueue(Buffer.alloc(100_000))
          controller.close()
        },
      })
      const streamed = await fetch(preSignedUrl!, {
        method: 'PUT',
        body: stream,
        duplex: 'half',
      } as RequestInit)
      expect(streamed.status).toBe(413)
      expect((await getFile(fileId!)).status).toBe(404)
      expect((await put(preSignedUrl!, Buffer.alloc(1_000_000))).status).toBe(201)
      expect((await put(preSignedUrl!, 'again')).status).toBe(201)
      expect((await list({ itemIds: [fileId] })).data).toMatchObject([
        { currentVersion: 2, sizeInBytes: 5 },
      ])
    })

    it('leave no folder of a removed project', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'servicekit-files-test-'))
      const own = asAdministrator(
        await createPlatform({
          storage: [{ name: 'Own', strategy: 'Local', folder }],
          projects: [project('P')],
        }),
      )
      const sent = await own.fetch(
        new Request('http://platform.local/data/v4/Files/GetPreSignedUrlForUpload', {
          method: 'POST',
          headers: { 'x-service-key': 'P' },
          body: '{"name":"a"}',
        }),
      )
      const { preSignedUrl } = (await sent.json()) as { preSignedUrl: string }
      await own.fetch(new Request(preSignedUrl, { method: 'PUT', body: 'x' }))
      const files = async () => (await readdir(folder, { recursive: true })).length
      expect(await files()).toBe(2)
      expect((await control(own, 'P', 'DELETE', '')).status).toBe(204)
      expect(await files()).toBe(0)
      await own.close()
      await rm(folder, { recursive: true })
    })

    it('are compared with a Content-MD5 header', async () => {
      const { preSignedUrl } = await presign({ name: 'md5.txt' })
      const md5 = (text: string) => createHash('md5').update(text).digest('base64')
      expect((await put(preSignedUrl!, 'b', { 'content-md5': md5('a') })).status).toBe(400)
      expect((await put(preSignedUrl!, 'a', { 'content-md5': md5('a') })).status).toBe(201)
    })

    it('are served in ranges, with headers that prevent execution', async () => {
      const signed = await presign({ name: 'page.html' })
      await put(signed.preSignedUrl!, '0123456789', { 'content-type': 'text/html' })
      const url = await download(signed.fileId!)
      const whole = await fetch(url)
      expect(whole.headers.get('content-disposition')).toMatch(/^attachment/)
      expect(whole.headers.get('content-security-policy')).toContain('sandbox')
      expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
      const range = async (value: string) => {
        const part = await fetch(url, { headers: { range: value } })
        return [part.status, await part.text(), part.headers.get('content-range')]
      }
      expect(await range('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10'])
      expect(await range('bytes=-3')).toEqual([206, '789', 'bytes 7-9/10'])
      expect(await range('bytes=20-')).toEqual([416, '', 'bytes */10'])
      const head = await fetch(url, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '10'])
    })

    it.each([
      ['name', { name: '../a' }],
      ['name', { name: 'a\\b' }],
      ['name', { name: '..' }],
      ['name', { name: 'a'.repeat(256) }],
      ['configurationName', { name: 'a', configurationName: 'none' }],
    ])('are rejected for an invalid %s: %j', async (field, body) => {
      const signed = await presign(body)
      expect(signed.isSuccess).toBe(false)
      expect(Object.keys(signed.errors!)).toEqual([field])
    })

    it('require a name, and the project of the header', async () => {
      for (const [body, status] of [
        [{}, 400],
        [{ name: 'a', projectKey: 'Q' }, 404],
      ] as const) {
        const response = await call('/data/v4/Files/GetPreSignedUrlForUpload', body)
        expect([response.status, Rejection.safeParse(await response.json()).success]).toEqual([
          status,
          true,
        ])
      }
    })
  }
})
