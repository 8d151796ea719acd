import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createPlatform } from '../src/index.ts'
import { control } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { fillDisk, mountSmallDisk } from '@servicekit/testing/small-disk'

it('says that the embedded database has stopped on a full disk, and keeps what was acknowledged', async ({
  skip,
}) => {
  const folder = mountSmallDisk() ?? skip('file systems cannot be mounted here')
  const stops: string[] = []
  const open = () =>
    createPlatform({
      dataDir: join(folder, 'data'),
      projects: [project('P', { en: { m: { A: 'a' } } })],
      onlyChanged: true,
      onError: () => {},
      onStopped: ({ message }) => stops.push(message),
    })
  const platform = await open()
  onTestFinished(() => platform.close())
  const write = async (value: string) => {
    const draft = { language: 'en', module: 'm', key: 'K', value }
    return (await control(platform, 'P', 'PUT', '/drafts', [draft])).status
  }
  const { free, makeRoom } = fillDisk(folder)
  const statuses = new Set<number>()
  let acknowledged = ''
  for (let count = 0; count < 2000 && stops.length === 0; count++) {
    const value = randomBytes(1000).toString('hex')
    const status = await write(value)
    statuses.add(status)
    if (status === 200) acknowledged = value
    else makeRoom()
  }
  // Also while only a table has no space, and the database runs.
  expect([...statuses]).toEqual([200, 503])
  expect(stops).toEqual([
    expect.stringMatching(/^The embedded database stopped\.[^]*No space left[^]*free space/),
  ])
  expect(await write('x')).toBe(503)
  free()
  await platform.close()

  const again = await open()
  onTestFinished(() => again.close())
  const drafts = await (await control(again, 'P', 'GET', '/drafts')).text()
  expect(acknowledged).toHaveLength(2000)
  expect(drafts).toContain(acknowledged)
  // Not for the end of a platform that is closed.
  await again.close()
  expect(stops).toHaveLength(1)
}, 120_000)
