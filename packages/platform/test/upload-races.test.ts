import { storage as wire } from '@servicekit/contract'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { asAdministrator } from '@servicekit/testing/administrator'
import { onEachEngine } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'
import type { Platform } from '../src/index.ts'

const rounds = 10
const origin = 'http://platform.local'

onEachEngine((engine) => {
  let platform: Platform
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'servicekit-races-'))
    platform = asAdministrator(
      await engine.open({ storage: [{ name: 'Files', strategy: 'Local', folder }] }),
    )
    await platform.loadProject(project('P'))
    return () => rm(folder, { recursive: true, force: true })
  })
  const send = (method: string, url: string, body?: string, headers: Record<string, string> = {}) =>
    platform.fetch(new Request(new URL(url, origin), { method, headers, body: body ?? null }))
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'x-service-key': 'P' }
    return (await send('POST', `/data/v4/Files/${path}`, JSON.stringify(body), headers)).json()
  }
  const presign = async () => {
    const body = { name: 'a.txt', accessModifier: 'Public' }
    const { preSignedUrl, fileId } = wire.PresignedUpload.parse(
      await post('GetPreSignedUrlForUpload', body),
    )
    return { url: preSignedUrl!, id: fileId! }
  }
  const put = (url: string, text: string, type: string) =>
    send('PUT', url, text, { 'content-type': type })
  const recordOf = async (id: string) => {
    const found = await post('GetFilesInfo', { filter: { itemIds: [id] } })
    return wire.listFiles.responses[200].schema.parse(found).data[0]
  }
  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  it('leaves no bytes if a file is removed while it is uploaded', async () => {
    for (let round = 0; round < rounds; round++) {
      const { url, id } = await presign()
      await put(url, 'first', 'text/plain')
      const uploads = Array.from({ length: 10 }, (_, index) =>
        put(url, 'b'.repeat(1 + index * 20_000), 'text/plain'),
      )
      await Promise.any(uploads)
      const removed = await send('DELETE', `/_platform/projects/P/files/${id}`)
      expect(removed.status).toBe(204)
      for (const { status } of await Promise.all(uploads)) expect([201, 403, 404]).toContain(status)
      expect(await recordOf(id)).toBeUndefined()
      expect(await files()).toEqual([])
    }
  })

  it('sends the type of the bytes that it sends while a file is replaced', async () => {
    const { url, id } = await presign()
    await put(url, 'audio/a', 'audio/a')
    const address = (await recordOf(id))!.url!
    for (let round = 0; round < rounds; round++) {
      const type = round % 2 ? 'audio/a' : 'audio/b'
      const [, ...responses] = await Promise.all([
        put(url, type, type),
        ...Array.from({ length: 10 }, () => send('GET', address)),
      ])
      for (const response of responses) {
        expect(response.headers.get('content-type')).toBe(await response.text())
      }
    }
    await send('DELETE', `/_platform/projects/P/files/${id}`)
  })

  it('records the size of bytes that an operator replaces', async () => {
    const { url, id } = await presign()
    await put(url, 'first', 'text/plain')
    const path = `/_platform/projects/P/files/${id}`
    expect((await send('PUT', path, 'longer than before')).status).toBe(204)
    expect(await recordOf(id)).toMatchObject({ sizeInBytes: 18, currentVersion: 1 })
    await Promise.all([
      put(url, 'a'.repeat(1000), 'text/plain'),
      send('PUT', path, 'b'.repeat(2000)),
    ])
    const bytes = await (await send('GET', path)).text()
    expect((await recordOf(id))?.sizeInBytes).toBe(bytes.length)
    onTestFinished(async () => void (await send('DELETE', path)))
  })
})
