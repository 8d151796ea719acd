import { expect, it, onTestFinished } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { postgres15Fault, startPostgres15 } from '@servicekit/testing/debian-postgres'
import { get, project } from '@servicekit/testing/projects'

const schemas = [
  { schemaName: 'Note', schemaType: 1, querySchema: 'Notes', fields: [{ name: 'A', type: 'Int' }] },
]
const source = (text: string, ...added: readonly string[]) => {
  const modules = ['m', ...added].map((name) => [name, { A: text }])
  return project('P', { en: Object.fromEntries(modules) }, { schemas })
}

it('reads translation files and records from a replica, and from the primary while it fails', async ({
  skip,
}) => {
  const fault = await postgres15Fault()
  if (fault) skip(fault)
  const primary = await startPostgres15()
  onTestFinished(primary.stop)
  const replica = await startPostgres15({ replicaOf: primary.port })
  onTestFinished(replica.stop)
  const errors: string[] = []
  const open = async () => {
    const platform = await createPlatform({
      databaseUrl: primary.databaseUrl,
      replicaUrl: replica.databaseUrl,
      onError: ({ message }) => void errors.push(message),
    })
    onTestFinished(() => platform.close())
    return platform
  }
  const gateway = async (platform: Platform, query: string) => {
    const response = await platform.fetch(
      new Request('http://platform.local/data/v4/gateway', {
        method: 'POST',
        headers: { 'x-service-key': 'P' },
        body: JSON.stringify({ query }),
      }),
    )
    return ((await response.json()) as { data: unknown }).data
  }
  const read = async (platform: Platform) => {
    const query = { ProjectKey: 'P', Language: 'en', ModuleName: 'm' }
    const file = '/localization/v4/Key/GetUilmFile'
    return [
      await gateway(platform, '{ Notes { totalCount } }'),
      await (await get(platform, file, query, { key: 'P' })).json(),
    ]
  }
  const shown = (totalCount: number, text: string) => [{ Notes: { totalCount } }, { A: text }]
  const insert = 'mutation { insertNote(input: {A: 1}) { acknowledged } }'

  // The replica has not received the tables.
  await replica.execute('select pg_wal_replay_pause()')
  const first = await open()
  await first.loadProject(source('old'))
  await gateway(first, insert)
  expect(await read(first)).toEqual(shown(1, 'old'))
  expect(errors).toEqual([expect.stringMatching(/^The read replica failed: /)])

  await replica.execute('select pg_wal_replay_resume()')
  await expect
    .poll(() => replica.execute('select 1 / count(*) from servicekit.records').catch(String))
    .toBeUndefined()
  await replica.execute('select pg_wal_replay_pause()')
  const second = await open()
  // Without records, of which two are inserted.
  await second.loadProject(source('new'))
  for (const _ of 'ab') await gateway(second, insert)
  expect(await read(second)).toEqual(shown(1, 'old'))

  // The replica does not have the new module.
  await second.loadProject(source('new', 'added'))
  for (const _ of 'ab') await gateway(second, insert)
  const added = { ProjectKey: 'P', Language: 'en', ModuleName: 'added' }
  const file = await get(second, '/localization/v4/Key/GetUilmFile', added, { key: 'P' })
  expect(await file.json()).toEqual({ A: 'new' })

  await replica.kill()
  expect(await read(second)).toEqual(shown(2, 'new'))
  expect(errors).toHaveLength(2)
}, 120_000)
