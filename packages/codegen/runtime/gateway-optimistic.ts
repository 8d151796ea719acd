import { longType } from './gateway-longs.js'

// Changes of cached queries before the service responds. Queries may have rows of any selection.

type Row = Readonly<Record<string, unknown>>

interface Page {
  readonly items: readonly Row[]
  readonly totalCount: number
}

/** Returns the changed row; null for one that is removed. */
type ChangeRow = (row: Row) => Row | null

/**
 * Returns the function that changes the data of a query as an update or a delete does.
 *
 * @param where ItemId or condition of the change.
 * @internal
 */
export function optimisticUpdate(
  where: unknown,
  input: object | 'delete',
): (key: readonly unknown[], data: unknown) => unknown {
  const ids = itemIdsOf(where)
  const values = input === 'delete' ? undefined : (asRow(input) as Row)
  const changeRow: ChangeRow = (row) => {
    if (!ids.includes(row['ItemId'])) return row
    return values === undefined ? null : assign(row, values)
  }
  return ([, , , kind], data) => {
    if (kind === 'get') return changeRow(data as Row)
    if (kind === 'list') return changePage(data as Page, changeRow)
    if (kind !== 'infinite') return data
    const { pages, ...rest } = data as { readonly pages: readonly Page[] }
    return { ...rest, pages: pages.map((page) => changePage(page, changeRow)) }
  }
}

/** Returns the ItemIds that a condition names; none if it states anything else. */
function itemIdsOf(where: unknown): readonly unknown[] {
  if (typeof where === 'string') return [where]
  const { ItemId, ...others } = where as { readonly ItemId?: { eq?: unknown; in?: unknown[] } }
  const { eq, in: ids, ...operators } = ItemId ?? {}
  return Object.keys({ ...others, ...operators }).length > 0 ? [] : (ids ?? [eq])
}

/** Returns a value of an input as a row has it: dates are strings, and Longs as generated. */
function asRow(value: unknown): unknown {
  if (typeof value === 'bigint') {
    if (longType === 'bigint') return value
    return longType === 'string' ? `${value}` : Number(value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(asRow)
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON()
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, asRow(member)]))
}

/** Changes the members that the row has. */
function assign(row: Row, values: Row): Row {
  const members = Object.entries(row).map(([name, old]) => {
    if (!Object.hasOwn(values, name)) return [name, old]
    const value = values[name]
    // Inputs take numbers for a Long, whatever its type in rows.
    const isLong = typeof old === 'bigint' && Number.isInteger(value)
    return [name, isLong ? BigInt(value as number) : value]
  })
  return Object.fromEntries(members) as Row
}

function changePage(page: Page, changeRow: ChangeRow): Page {
  const items = page.items.map(changeRow).filter((row): row is Row => row !== null)
  return { ...page, items, totalCount: page.totalCount - page.items.length + items.length }
}
