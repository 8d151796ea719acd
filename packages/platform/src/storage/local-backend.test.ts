import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { expect, it, onTestFinished } from 'vitest'
import { localBackend } from './local-backend.ts'

it('reads the bytes that it opened, although the file is replaced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-local-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const parts = { folder, keyOf: async () => '', now: () => new Date(), maxBytes: 100 }
  const { local } = localBackend(parts)
  const object = { projectKey: 'P', itemId: 'a', systemName: 'a.txt', name: 'a.txt' }
  const write = (content: string) => {
    const body = new Blob([content]).stream() as ReadableStream<Uint8Array>
    return local!.write(object, body, { maxBytes: 100 })
  }

  expect(await local!.open(object)).toBeUndefined()
  await write('first')
  const file = await local!.open(object)
  await write('the second one')
  expect(file!.sizeInBytes).toBe(5)
  expect(await text(file!.read({ start: 1, end: 4 }))).toBe('irst')
})
