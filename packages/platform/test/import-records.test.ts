import { printExactJson } from '@servicekit/core/exact-json'
import { onEachEngine } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { removeProject } from './control-client.ts'
import { send } from './gateway-client.ts'

const schemas = [
  {
    schemaName: 'Thing',
    schemaType: 1,
    querySchema: 'Things',
    mutationSchemas: ['insertThing', 'insertManyThing'],
    fields: [
      { name: 'Name', type: 'String', requiredOn: 'Insert' },
      { name: 'Count', type: 'Int' },
      { name: 'Views', type: 'Long' },
      { name: 'Part', type: 'Part' },
    ],
  },
  {
    schemaName: 'Part',
    schemaType: 2,
    fields: [{ name: 'Label', type: 'String', requiredOn: 'Both' }],
  },
]

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ clock: 'frozen', seed: 1 })
  })
  beforeEach(async () => {
    await platform.loadProject(project('P', {}, { schemas }))
  })
  afterEach(() => removeProject(platform, 'P'))

  const importThings = async (records: readonly unknown[], more: object = {}, schema = 'Thing') => {
    const response = await platform.fetch(
      new Request(`http://platform.local/_platform/projects/P/records/${schema}/import`, {
        method: 'POST',
        body: printExactJson({ records, ...more }),
      }),
    )
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const things = async () =>
    (
      await send(
        platform,
        'P',
        '{ Things(paging: {pageNo: 1, pageSize: 9}) { totalCount items { ItemId Name Count Views Part { Label } } } }',
      )
    ).data.Things

  it('inserts more records than a request to the data gateway may', async () => {
    const records = Array.from({ length: 2500 }, (_, at) => ({ Name: `Thing ${at}`, Count: at }))
    expect(await importThings(records)).toEqual({
      status: 200,
      body: { inserted: 2500, problems: [] },
    })
    expect((await things()).totalCount).toBe(2500)
  })

  it('keeps values as an insert does', async () => {
    const record = {
      ItemId: 'a',
      Name: 'A',
      Views: 9_007_199_254_740_993n,
      Part: { Label: 'x' },
    }
    expect((await importThings([record])).body).toEqual({ inserted: 1, problems: [] })
    expect((await things()).items).toEqual([{ ...record, Count: null }])
  })

  it('lists the problems of all records, and inserts none', async () => {
    await importThings([{ ItemId: 'taken', Name: 'A' }])
    const { body } = await importThings([
      { Name: 'B' },
      { Name: 'C', Count: 'many' },
      { Count: 1 },
      { Name: 'D', Part: {} },
      { Name: 'E', Unknown: 1 },
      null,
      'F',
      [],
    ])
    expect(body).toEqual({
      inserted: 0,
      problems: [
        { row: 1, message: 'Count: Int cannot represent non-integer value: "many"' },
        { row: 2, message: 'Name: a value is required.' },
        { row: 3, message: 'Part.Label: a value is required.' },
        { row: 4, message: expect.stringContaining('Field "Unknown" is not defined') },
        { row: 5, message: 'Expected non-nullable type "ThingInsertInput!" not to be null.' },
        { row: 6, message: 'Expected type "ThingInsertInput" to be an object.' },
        { row: 7, message: 'Expected type "ThingInsertInput" to be an object.' },
      ],
    })
    expect(
      (
        await importThings([
          { ItemId: 'x', Name: 'F' },
          { ItemId: 'x', Name: 'G' },
        ])
      ).body,
    ).toEqual({ inserted: 0, problems: [{ row: 1, message: 'ItemId: x occurs twice.' }] })
    expect((await importThings([{ Name: 'H' }, { ItemId: 'taken', Name: 'I' }])).body).toEqual({
      inserted: 0,
      problems: [{ row: 1, message: 'ItemId: there is a Thing taken already.' }],
    })
    expect((await things()).totalCount).toBe(1)
  })

  it('only checks the records of a dry run', async () => {
    const dryRun = { isDryRun: true }
    expect((await importThings([{ Name: 'A' }], dryRun)).body).toEqual({
      inserted: 0,
      problems: [],
    })
    expect((await importThings([{}], dryRun)).body).toMatchObject({ problems: [{ row: 0 }] })
    expect((await things()).totalCount).toBe(0)
  })

  it('refuses schemas whose records cannot be inserted, and no records', async () => {
    for (const schema of ['Part', 'None', '__proto__']) {
      const { status, body } = await importThings([{ Name: 'A' }], {}, schema)
      expect([status, body['title']]).toEqual([404, `Records of ${schema} cannot be inserted.`])
    }
    expect((await importThings([])).status).toBe(400)
  })

  it('refuses a body with many errors by naming the first of them', async () => {
    const drafts = Array.from({ length: 5000 }, () => ({}))
    const response = await platform.fetch(
      new Request('http://platform.local/_platform/projects/P/drafts', {
        method: 'PUT',
        body: JSON.stringify(drafts),
      }),
    )
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(text).toContain('0: Invalid input')
    expect(text.length).toBeLessThan(20_000)
  })
})
