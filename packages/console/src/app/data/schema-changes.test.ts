import { expect, it } from 'vitest'
import { conflictsOf, differencesOf, mergeSchemas } from './schema-changes.ts'

const schema = (texts: Readonly<Record<string, string>>, level = 0) => ({
  schemaName: 'Product',
  readAccessLevel: level,
  fields: Object.entries(texts).map(([name, description]) => ({ name, description })),
})
/** Versions in which each field is absent, as before, or different. */
const all = ['', '1', '2'].flatMap((a) =>
  ['', '1', '2'].flatMap((b) =>
    [0, 1, 2].map((level) => schema({ ...(a && { A: a }), ...(b && { B: b }), C: '1' }, level)),
  ),
)

it('treats absent members like their defaults', () => {
  const one = { schemaName: 'A', fields: [{ name: 'B', type: 'String' }] }
  const complete = { name: 'B', fields: [], description: '', type: 'String', isArray: false }
  const other = {
    readAccessLevel: 0,
    fields: [{ ...complete, requiredOn: 'None', editAccessLevel: 0 }],
    schemaName: 'A',
  }
  expect(differencesOf(one, other)).toEqual([])
  expect(differencesOf(one, { ...one, fields: [{ name: 'B', type: 'Int' }] })).toMatchObject([
    { name: 'B', isField: true, before: { type: 'String' }, after: { type: 'Int' } },
  ])
})

it('keeps changes of different parts, whoever saves last', () => {
  const namesOf = (...versions: Parameters<typeof differencesOf>) =>
    differencesOf(...versions).map(({ name }) => name)
  const base = schema({ A: '1', B: '1', C: '1' }, 1)
  for (const mine of all) {
    for (const theirs of all) {
      const versions = { base, mine, theirs }
      const conflicts = conflictsOf(versions).map(({ name }) => name)
      const merged = mergeSchemas(versions, 'mine')
      expect(namesOf(mergeSchemas(versions, 'theirs'), merged).sort()).toEqual(conflicts.sort())
      const [byMe, byThem] = [namesOf(base, mine), namesOf(base, theirs)]
      expect(namesOf(merged, mine).filter((name) => byMe.includes(name))).toEqual([])
      const lost = namesOf(merged, theirs).filter((name) => byThem.includes(name))
      expect(lost.sort()).toEqual(conflicts)
    }
  }
})

it('merges with a removed schema only by a choice', () => {
  const [base, mine] = [schema({ A: '1' }), schema({ A: '2' })]
  expect(conflictsOf({ base, mine, theirs: null })).not.toEqual([])
  expect(mergeSchemas({ base, mine, theirs: null }, 'mine')).toBe(mine)
  expect(mergeSchemas({ base, mine: null, theirs: mine }, 'theirs')).toBe(mine)
})
