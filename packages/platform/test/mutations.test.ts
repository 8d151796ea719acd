import { beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { control } from './control-client.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { send } from './gateway-client.ts'
import { project, publicLevels } from '@servicekit/testing/projects'

const schemas = [
  {
    schemaName: 'Thing',
    schemaType: 1,
    querySchema: 'Things',
    mutationSchemas: ['insertThing', 'updateThing', 'deleteThing'],
    fields: [
      { name: 'Name', type: 'String', requiredOn: 'Insert' },
      { name: 'Reason', type: 'String', requiredOn: 'Update' },
      { name: 'Count', type: 'Int' },
      { name: 'Part', type: 'Part' },
      { name: 'Parts', type: 'Part', isArray: true },
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
    platform = await engine.open({ clock: 'frozen' })
    await platform.loadProject(project('P', {}, { schemas }))
    await platform.loadProject(project('Q', {}, { schemas }))
  })
  const run = (query: string, variables?: Record<string, unknown>, key = 'P') =>
    send(platform, key, query, variables)
  const reset = async () => {
    for (const key of ['P', 'Q']) {
      await run('mutation { deleteManyThing(where: {ItemId: {neq: null}}) { itemId } }', {}, key)
      await run(
        `mutation { insertManyThing(input: [
          {ItemId: "a", Name: "A", Count: 1, Part: {Label: "x"}},
          {ItemId: "b", Name: "B", Count: 2},
          {ItemId: "c", Name: "B", Count: 3}]) { itemId } }`,
        {},
        key,
      )
    }
  }
  const list = async (key = 'P') => {
    const { data } = await run('{ Things { items { ItemId Name Count Part { Label } } } }', {}, key)
    return data.Things.items as unknown[]
  }
  const answer = 'acknowledged itemId totalImpactedData message'

  it('updates only the given fields of one record', async () => {
    await reset()
    await control(platform, 'POST', '/clock', { advanceMs: 1000 })
    const { data, errors } = await run(
      `mutation { updateThing(where: {Name: {eq: "B"}}, input: {Reason: "r", Count: 20, Tags: ["t"]}) { ${answer} } }`,
    )
    expect(errors).toEqual([])
    expect(data.updateThing).toEqual({
      acknowledged: true,
      itemId: 'b',
      totalImpactedData: 1,
      message: null,
    })
    const { data: after } = await run(
      '{ Things(where: {ItemId: {eq: "b"}}) { items { Name Count Tags CreatedDate LastUpdatedDate } } }',
    )
    const [{ CreatedDate, LastUpdatedDate, ...rest }] = after.Things.items
    expect(rest).toEqual({ Name: 'B', Count: 20, Tags: ['t'] })
    expect(Date.parse(LastUpdatedDate) - Date.parse(CreatedDate)).toBe(1000)
    expect(await list('Q')).toContainEqual({ ItemId: 'b', Name: 'B', Count: 2, Part: null })
  })

  it('replaces a nested object as a whole, and accepts null', async () => {
    await reset()
    await run(
      'mutation { updateThing(where: {ItemId: {eq: "a"}}, input: {Reason: "r", Count: null, Part: {Label: "y"}}) { itemId } }',
    )
    expect(await list()).toContainEqual({
      ItemId: 'a',
      Name: 'A',
      Count: null,
      Part: { Label: 'y' },
    })
  })

  it('updates and deletes many records', async () => {
    await reset()
    const updated = await run(
      `mutation { updateManyThing(where: {Count: {gte: 2}}, input: {Reason: "r", Name: "C"}) { ${answer} } }`,
    )
    expect(updated.data.updateManyThing).toMatchObject({ acknowledged: true, totalImpactedData: 2 })
    const deleted = await run(
      `mutation { deleteManyThing(where: {Name: {eq: "C"}}) { ${answer} } }`,
    )
    expect(deleted.data.deleteManyThing).toMatchObject({ itemId: null, totalImpactedData: 2 })
    expect(await list()).toHaveLength(1)
    expect(await list('Q')).toHaveLength(3)
  })

  it('deletes one record', async () => {
    await reset()
    const { data } = await run(`mutation { deleteThing(where: {Name: {eq: "B"}}) { ${answer} } }`)
    expect(data.deleteThing).toMatchObject({
      acknowledged: true,
      itemId: 'b',
      totalImpactedData: 1,
    })
    expect(await list()).toHaveLength(2)
  })

  it('returns no error and no acknowledgement if nothing matches', async () => {
    await reset()
    for (const mutation of [
      'updateThing(where: {ItemId: {eq: "none"}}, input: {Reason: "r"})',
      'updateManyThing(where: {ItemId: {eq: "none"}}, input: {Reason: "r"})',
      'deleteThing(where: {ItemId: {eq: "none"}})',
      'deleteManyThing(where: {ItemId: {eq: "none"}})',
    ]) {
      const { status, data, errors } = await run(`mutation { m: ${mutation} { ${answer} } }`)
      expect([status, errors]).toEqual([200, []])
      expect(data.m).toEqual({
        acknowledged: false,
        itemId: null,
        totalImpactedData: 0,
        message: 'No Thing matches.',
      })
    }
  })

  it('inserts all of many records, or none', async () => {
    await reset()
    const { data } = await run(
      `mutation { insertManyThing(input: [{ItemId: "d", Name: "D"}, {ItemId: "a", Name: "A"}]) { ${answer} } }`,
    )
    expect(data.insertManyThing).toMatchObject({ acknowledged: false, totalImpactedData: 0 })
    const twice = await run(
      `mutation { insertManyThing(input: [{ItemId: "d", Name: "D"}, {ItemId: "d", Name: "D"}]) { ${answer} } }`,
    )
    expect(twice.data.insertManyThing.acknowledged).toBe(false)
    expect(await list()).toHaveLength(3)
  })

  it.each([
    ['updateThing(where: {ItemId: {eq: "a"}}, input: {Count: 1})', 'Reason: a value is required.'],
    ['updateThing(where: {ItemId: {eq: "a"}}, input: {Reason: "r", Part: {}})', 'Part.Label'],
    [
      'updateThing(where: {ItemId: {eq: "a"}}, input: {Reason: "r", Parts: [{}]})',
      'Parts[0].Label',
    ],
    ['updateThing(where: {ItemId: {eq: "a"}}, input: {Reason: "r", Name: "\\u0000"})', 'U+0000'],
    ['updateThing(input: {Reason: "r"})', 'where or filter: a condition is required.'],
    [
      'updateManyThing(where: {}, input: {Reason: "r"})',
      'where or filter: a condition is required.',
    ],
    ['deleteThing', 'where or filter: a condition is required.'],
    ['deleteManyThing(where: {or: []})', 'where or filter: a condition is required.'],
    ['insertManyThing(input: [{Name: "x"}, {}])', 'input[1].Name: a value is required.'],
    ['updateThing(where: {ItemId: {eq: "a"}}, input: {ItemId: "z"})', 'not defined'],
  ])('rejects %s', async (mutation, message) => {
    await reset()
    const { code, errors } = await run(`mutation { ${mutation} { itemId } }`)
    expect(code).toBe('VALIDATION_ERROR')
    expect(errors[0]!.message).toContain(message)
    expect(await list()).toHaveLength(3)
  })

  describe('schema definitions', () => {
    const on = (method: string, path: string, body?: unknown) =>
      control(platform, method, `/projects/P${path}`, body)

    it('apply after publishing, with default members', async () => {
      const drafted = await on('PUT', '/schemas/Note', {
        schemaName: 'Note',
        fields: [{ name: 'Text', type: 'String' }],
        ...publicLevels,
      })
      expect(drafted.body).toMatchObject({
        definition: {
          querySchema: 'Notes',
          schemaType: 1,
          mutationSchemas: ['insertNote', 'updateNote', 'deleteNote'],
        },
      })
      expect((await run('{ Notes { totalCount } }')).code).toBe('VALIDATION_ERROR')
      const published = await on('POST', '/schemas/publish')
      expect(published.body).toEqual({ changedSchemas: ['Note'], problems: [] })
      await run('mutation { insertNote(input: {Text: "t"}) { itemId } }')
      expect((await run('{ Notes { totalCount } }')).data.Notes.totalCount).toBe(1)
    })

    it('are removed after publishing, with their records', async () => {
      expect((await on('DELETE', '/schemas/Note')).status).toBe(204)
      expect((await run('{ Notes { totalCount } }')).data.Notes.totalCount).toBe(1)
      expect((await on('GET', '/schemas')).body).toMatchObject({
        drafts: [{ schemaName: 'Note', isRemoved: true }],
      })
      await on('POST', '/schemas/publish')
      await on('PUT', '/schemas/Note', { schemaName: 'Note', ...publicLevels })
      await on('POST', '/schemas/publish')
      expect((await run('{ Notes { totalCount } }')).data.Notes.totalCount).toBe(0)
    })

    it('have problems that are listed, and can be discarded', async () => {
      await on('PUT', '/schemas/Query', { schemaName: 'Query' })
      expect((await on('GET', '/schemas')).body).toMatchObject({
        problems: [{ code: 'SCHEMA_SKIPPED', schema: 'Query' }],
      })
      expect((await on('POST', '/schemas/discard', {})).status).toBe(204)
      expect((await on('GET', '/schemas')).body).toMatchObject({ drafts: [], problems: [] })
      expect((await on('DELETE', '/schemas/none')).status).toBe(404)
      expect((await on('PUT', '/schemas/A', { schemaName: 'B' })).status).toBe(400)
    })

    it('are saved, discarded and published only as the client knows them', async () => {
      const read = async () => (await on('GET', '/schemas')).body as { drafts: unknown[] }
      const save = (definition: object | null, expected: object | null) =>
        on('PUT', '/schemas/Memo', { definition, expected })
      const definition = { schemaName: 'Memo', fields: [{ name: 'Text', type: 'String' }] }
      expect((await save(null, null)).status).toBe(404)
      const { body: first } = (await save(definition, null)) as { body: { definition: object } }
      expect((await save(definition, null)).status).toBe(409)
      expect((await save(null, definition)).status).toBe(409)
      const { body: second } = (await save(
        { ...first.definition, fields: [] },
        first.definition,
      )) as {
        body: { definition: object }
      }
      const draft = (given: { definition: object }) => ({ schemaName: 'Memo', ...given })
      expect((await read()).drafts).toEqual([draft(second)])
      for (const action of ['publish', 'discard']) {
        const refused = await on('POST', `/schemas/${action}`, { drafts: [draft(first)] })
        expect(refused.status, action).toBe(409)
      }
      await on('PUT', '/schemas/Other', { schemaName: 'Other' })
      expect((await on('POST', '/schemas/publish', { drafts: [draft(second)] })).status).toBe(409)
      expect((await on('POST', '/schemas/discard', { drafts: [draft(second)] })).status).toBe(204)
      expect((await read()).drafts).toMatchObject([{ schemaName: 'Other' }])
      const { drafts } = await read()
      expect((await on('POST', '/schemas/publish', { drafts })).body).toEqual({
        changedSchemas: ['Other'],
        problems: [],
      })
      const { body } = await on('GET', '/schemas')
      const published = (body as { schemas: { schemaName: string }[] }).schemas.find(
        ({ schemaName }) => schemaName === 'Other',
      )
      const removed = await on('PUT', '/schemas/Other', { definition: null, expected: published })
      expect(removed.body).toEqual({ definition: null })
      expect((await read()).drafts).toEqual([{ schemaName: 'Other', isRemoved: true }])
      expect((await on('POST', '/schemas/publish', await read())).status).toBe(400)
      await on('POST', '/schemas/publish', { drafts: [{ schemaName: 'Other', isRemoved: true }] })
    })
  })
})

describe('limits', () => {
  it('apply to aliases, tokens and cost', async () => {
    await using platform = await createPlatform({
      gateway: { maxAliases: 3, maxTokens: 60, maxCost: 500 },
    })
    await platform.loadProject(project('P', {}, { schemas }))
    const message = async (query: string, variables?: Record<string, unknown>) => {
      const { errors } = await send(platform, 'P', query, variables)
      return errors[0]?.message
    }
    const four = ['a', 'b', 'c', 'd'].map((alias) => `${alias}: ItemId`).join(' ')
    expect(await message(`{ Things { items { ${four} } } }`)).toBe(
      'The document has more than 3 aliases.',
    )
    expect(await message(`{ Things { items { ${'Name '.repeat(60)} } } }`)).toContain('token')
    const page = (rows: number) =>
      message(`{ Things(paging: {pageNo: 1, pageSize: ${rows}}) { items { Name Count } } }`)
    expect(await page(20)).toBeUndefined()
    expect(await page(200)).toContain('costs more than 500')
  })

  it('charge a filter once, however many lists use it', async () => {
    await using platform = await createPlatform({ gateway: { maxCost: 800 } })
    await platform.loadProject(project('P', {}, { schemas }))
    const list = (alias: string) => `${alias}: Things(input: {filter: $f}) { totalCount }`
    const query = `query ($f: String) { ${list('a')} ${list('b')} }`
    const message = async (length: number) => {
      const f = JSON.stringify({ Name: 'x'.repeat(length) })
      return (await send(platform, 'P', query, { f })).errors[0]?.message
    }
    expect(await message(20_000)).toBeUndefined()
    expect(await message(40_000)).toContain('costs more than 800')
  })

  it('charge each field of each returned row', async () => {
    await using platform = await createPlatform({ gateway: { maxCost: 500 } })
    const rows = (count: number, parts: number) =>
      Array.from({ length: count }, (_, index) => ({
        ItemId: String(index),
        Name: 'n',
        Parts: Array.from({ length: parts }, () => ({ Label: 'l' })),
      }))
    const message = async (Thing: ReturnType<typeof rows>, selection: string) => {
      await platform.loadProject(project('P', {}, { schemas, records: { Thing } }))
      const { errors } = await send(platform, 'P', `{ Things { ${selection} } }`)
      return errors[0]?.message
    }
    const fields = 'items { a: Name b: Name Parts { Label } }'
    expect(await message(rows(10, 2), fields)).toBeUndefined()
    expect(await message(rows(10, 60), fields)).toContain('costs more than 500')
    expect(await message(rows(10, 0), `a: ${fields} b: ${fields}`)).toBeUndefined()
    const names = Array.from({ length: 50 }, (_, index) => `n${index}: Name`).join(' ')
    expect(await message(rows(10, 0), `items { ${names} }`)).toContain('costs more than 500')
  })
})
