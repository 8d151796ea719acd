import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPlatform } from '../src/index.ts'
import { machineToken } from '@servicekit/testing/administrator'
import { project } from '@servicekit/testing/projects'

it('responds with an error while the folder is not writable, and recovers', async () => {
  const root = await mkdtemp(join(tmpdir(), 'servicekit-unwritable-'))
  const folder = join(root, 'files')
  // No user, not even root, can create a folder where a file exists.
  await writeFile(folder, '')
  const faults: string[] = []
  await using platform = await createPlatform({
    storage: [{ name: 'Default', strategy: 'Local', folder }],
    projects: [project('P')],
    onError: ({ message }) => faults.push(message),
  })
  const authorization = `Bearer ${await machineToken(platform, 'P')}`
  const post = async (path: string, body: object) => {
    const headers = { 'x-service-key': 'P', authorization }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await platform.fetch(new Request(`http://platform.local${path}`, init))
    return (await response.json()) as { preSignedUrl: string; totalCount: number }
  }
  const { preSignedUrl } = await post('/data/v4/Files/GetPreSignedUrlForUpload', { name: 'a.txt' })
  const put = () => platform.fetch(new Request(preSignedUrl, { method: 'PUT', body: 'text' }))
  const count = async () => (await post('/data/v4/Files/GetFilesInfo', {})).totalCount

  const refused = await put()
  expect(refused.status).toBe(507)
  expect(await refused.json()).toMatchObject({ title: 'The file could not be stored.' })
  expect(faults).toEqual([expect.stringContaining(folder)])
  expect(await count()).toBe(0)

  await rm(folder)
  expect((await put()).status).toBe(201)
  expect(await count()).toBe(1)
  await rm(root, { recursive: true })
})
