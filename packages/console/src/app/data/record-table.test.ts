import { describe, expect, it } from 'vitest'
import { recordsOf, suggestFields, tableOf } from './record-table.ts'
import { labelOf } from './relations.ts'
import type { RecordField, RecordSchema } from './schema-catalog.ts'

const field = (name: string, type: string, more: Partial<RecordField> = {}): RecordField => ({
  name,
  type,
  isArray: false,
  isInsertable: true,
  isUpdatable: true,
  isRequiredOnInsert: false,
  isRequiredOnUpdate: false,
  ...more,
})

const fields = [
  field('ItemId', 'String'),
  field('CreatedDate', 'DateTime', { isInsertable: false }),
  field('Name', 'String'),
  field('SortOrder', 'Int'),
  field('Views', 'Long'),
  field('IsActive', 'Boolean'),
  field('ReleasedAt', 'DateTime'),
  field('Colours', 'String', { isArray: true }),
]
const schema: RecordSchema = {
  name: 'Thing',
  query: 'Things',
  mutations: {},
  fields,
  referrers: [],
}

describe('the columns of a file', () => {
  it('are those of fields with the same name, in any spelling', () => {
    expect(suggestFields(['name', 'sort order', 'IS_ACTIVE', 'Price', 'Name'], fields)).toEqual([
      'Name',
      'SortOrder',
      'IsActive',
      '',
      '',
    ])
  })

  it('are none that an insert does not take', () => {
    expect(suggestFields(['CreatedDate', 'ItemId'], fields)).toEqual(['', 'ItemId'])
  })
})

describe('the rows of a file', () => {
  const rows = (...cells: (readonly string[])[]) =>
    cells.map((row, at) => ({ cells: row, line: at + 2 }))

  it('become records with typed values, without empty cells and rows', () => {
    const columns = ['Name', 'SortOrder', '', 'IsActive', 'ReleasedAt', 'Views', 'Colours']
    const { records, lines, invalid } = recordsOf(
      rows(
        [' Cup ', '3', 'ignored', 'TRUE', '2026-01-31T12:00Z', '9007199254740993', '["red"]'],
        ['', ' ', '', '', '', '', ''],
        ['Bowl'],
      ),
      columns,
      fields,
    )
    expect(invalid).toEqual([])
    expect(lines).toEqual([2, 4])
    expect(records).toEqual([
      {
        Name: ' Cup ',
        SortOrder: 3,
        IsActive: true,
        ReleasedAt: '2026-01-31T12:00:00.000Z',
        Views: 9_007_199_254_740_993n,
        Colours: ['red'],
      },
      { Name: 'Bowl' },
    ])
  })

  it('have a problem for each text that is no value of its field', () => {
    const columns = ['SortOrder', 'IsActive', 'ReleasedAt', 'Colours']
    const { invalid } = recordsOf(
      rows(['1.5', 'yes', '01/02/2026', 'red'], ['2', 'false', '2026-02-01', '[]']),
      columns,
      fields,
    )
    expect(invalid.map((cell) => [cell.line, cell.field.name])).toEqual([
      [2, 'SortOrder'],
      [2, 'IsActive'],
      [2, 'ReleasedAt'],
      [2, 'Colours'],
    ])
  })

  it('are the same after an export', () => {
    const record = {
      ItemId: 'a',
      Name: 'Cup, "large"\nnew',
      SortOrder: 0,
      Views: 9_007_199_254_740_993n,
      IsActive: false,
      ReleasedAt: '2026-01-31T12:00:00.000Z',
      Colours: ['red', 'a "b"'],
    }
    const [header, ...cells] = tableOf(schema, [record])
    const { records, invalid } = recordsOf(rows(...cells), suggestFields(header!, fields), fields)
    expect([records, invalid]).toEqual([[record], []])
  })
})

describe('the field that names a record', () => {
  const named = (...names: readonly string[]) =>
    labelOf({ schemaName: 'S', fields: names.map((name) => ({ name, type: 'String' })) } as never)

  it('is a name or a title, otherwise the first text', () => {
    expect(named('ItemId', 'Slug', 'Name')).toBe('Name')
    expect(named('Sku', 'DisplayName')).toBe('DisplayName')
    expect(named('ItemId', 'CategoryId', 'Sku', 'Note')).toBe('Sku')
    expect(named('ItemId', 'CreatedBy')).toBeUndefined()
  })
})
