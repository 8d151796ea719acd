import { sql } from 'drizzle-orm'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPlatform } from '../src/index.ts'
import { openDatabase } from '../src/database/open-database.ts'
import { type Built, buildPlatform } from '@servicekit/testing/build-platform'
import { isDeep } from '@servicekit/testing/is-deep'
import { send } from './gateway-client.ts'
import { get, project } from '@servicekit/testing/projects'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-data-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const schemas = [
  {
    schemaName: 'Note',
    schemaType: 1,
    querySchema: 'Notes',
    fields: [{ name: 'Text', type: 'String' }],
  },
]
const source = project('P', { en: { m: { A: 'a' } } }, { schemas })
const open = () => createPlatform({ dataDir: folder })

it('keeps data in a folder', async () => {
  const first = await open()
  await first.loadProject(source)
  await send(first, 'P', 'mutation { insertNote(input: {Text: "kept"}) { itemId } }')
  await first.close()
  expect((await readdir(folder)).sort()).toEqual(['pgdata'])

  const second = await open()
  const { data } = await send(second, 'P', '{ Notes { items { Text } } }')
  expect(data.Notes.items).toEqual([{ Text: 'kept' }])
  const query = { Language: 'en', ModuleName: 'm', ProjectKey: 'P' }
  const response = await get(second, '/uilm/v1/Key/GetUilmFile', query, { key: 'P' })
  expect(await response.json()).toEqual({ A: 'a' })
  await second.close()
})

it('applies only changed files of the project with onlyChanged', async () => {
  const first = await open()
  await first.loadProject(source)
  const edit = await first.fetch(
    new Request('http://platform.local/_platform/projects/P/texts', {
      method: 'PUT',
      body: JSON.stringify([{ language: 'en', module: 'm', key: 'A', value: 'edited' }]),
    }),
  )
  expect(edit.status).toBe(200)
  await send(first, 'P', 'mutation { insertNote(input: {Text: "kept"}) { itemId } }')
  await first.close()

  const read = async (platform: Awaited<ReturnType<typeof open>>) => {
    const query = { Language: 'en', ModuleName: 'm', ProjectKey: 'P' }
    const file = await get(platform, '/uilm/v1/Key/GetUilmFile', query, { key: 'P' })
    const { data } = await send(platform, 'P', '{ Notes { totalCount } }')
    return [await file.json(), data.Notes.totalCount]
  }
  const kept = await createPlatform({ dataDir: folder, projects: [source], onlyChanged: true })
  expect(await read(kept)).toEqual([{ A: 'edited' }, 1])
  await kept.close()
  const reset = await createPlatform({ dataDir: folder, projects: [source] })
  expect(await read(reset)).toEqual([{ A: 'a' }, 0])
  await reset.close()
})

it('cannot be opened twice by one process', async () => {
  const platform = await open()
  await expect(open()).rejects.toMatchObject({
    code: 'DATABASE_IN_USE',
    details: { process: process.pid },
  })
  await platform.close()
  await (await open()).close()
})

it('cannot be opened by another major version of PostgreSQL', async () => {
  await (await open()).close()
  await writeFile(join(folder, 'pgdata/PG_VERSION'), '16\n')
  await expect(open()).rejects.toMatchObject({
    code: 'DATABASE_INCOMPATIBLE',
    details: { found: '16', expected: '18' },
  })
  expect(await readdir(folder)).toEqual(['pgdata'])
})

it('is filled again if filling it was interrupted', async () => {
  await mkdir(join(folder, 'pgdata'))
  await writeFile(join(folder, 'pgdata/PG_VERSION'), '18\n')
  await writeFile(join(folder, 'unfinished'), '')
  await (await open()).close()
  expect((await readdir(folder)).sort()).toEqual(['pgdata'])
})

it('rejects requests after the engine has stopped', async () => {
  const database = await openDatabase({ dataDir: folder })
  await rm(join(folder, 'pgdata/pg_wal'), { recursive: true })
  // Needs a new segment of the log, which the engine cannot create.
  const insert = () =>
    database.scoped(1, (tables) =>
      tables.execute(sql`
        insert into servicekit.sources (project_id, path, hash)
        select 1, n, md5(random()::text) from generate_series(1, 50000) n`),
    )
  await expect(insert()).rejects.toThrow(/^The database is unavailable/)
  await expect(insert()).rejects.toThrow(/^The database is unavailable/)
  await database.close()
})

describe('in separate processes', () => {
  let built: Built
  beforeAll(async () => {
    built = await buildPlatform()
  }, 60_000)
  afterAll(() => built?.remove())

  it('cannot be opened by a second process', async () => {
    const first = await built.run(
      `const { baseUrl } = await platform.startPlatform({ dataDir: process.argv[2] })
       console.log(baseUrl)`,
      [folder],
    )
    expect(await first.line()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const second = await built.run(
      `platform.startPlatform({ dataDir: process.argv[2] })
         .catch((error) => console.log(error.code, error.details.process))`,
      [folder],
    )
    expect(await second.line()).toBe(`DATABASE_IN_USE ${first.process.pid}`)
    expect(await second.ended).toBe(0)
    first.process.kill('SIGKILL')
    await first.ended
  })

  it('opens again after a process was killed while it wrote', { timeout: 120_000 }, async () => {
    const seed = await open()
    await seed.loadProject(source)
    await seed.close()
    const acknowledged = new Set<string>()
    const rounds = isDeep ? 4 : 2
    for (let round = 0; round < rounds; round++) {
      // Writes as fast as possible and prints each acknowledged write.
      const writer = await built.run(
        `const { platform: p } = await platform.startPlatform({ dataDir: process.argv[2] })
         const texts = 'x'.repeat(20000)
         for (let n = 0; ; n++) {
           const id = process.argv[3] + '-' + n
           const query = 'mutation($i: NoteInsertInput) { insertNote(input: $i) { itemId } }'
           const body = JSON.stringify({ query, variables: { i: { ItemId: id, Text: texts } } })
           const response = await p.fetch(new Request('http://l/data/v4/gateway', {
             method: 'POST', headers: { 'x-service-key': 'P' }, body,
           }))
           console.log((await response.json()).data.insertNote.itemId)
         }`,
        [folder, String(round)],
      )
      const wanted = 20 + round * 40
      for (let count = 0; count < wanted; count++) acknowledged.add(await writer.line())
      writer.process.kill('SIGKILL')
      await writer.ended
    }
    const again = await open()
    const { data } = await send(
      again,
      'P',
      '{ Notes(paging: {pageNo: 1, pageSize: 1000}) { items { ItemId } } }',
    )
    const stored = new Set(data.Notes.items.map(({ ItemId }: { ItemId: string }) => ItemId))
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
    expect(acknowledged.size).toBe(rounds === 4 ? 20 + 60 + 100 + 140 : 20 + 60)
    await again.close()
  })
})
