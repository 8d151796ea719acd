/** One page of a list. */
interface PageOfRows<T> {
  readonly items: readonly T[]
  /** Number of rows in all pages; undefined if the service does not return it. */
  readonly total: number | undefined
}

/** Maximum number of pages for a list without a total. */
const maxPages = 10_000

/**
 * Reads the pages of a list, from page 1. A list with a total ends there, except at a full first
 * page: some services report the number of its rows as the total. A list without
 * one ends at the first page that is empty or repeats an earlier page: a service may limit the
 * size of pages, so a short page need not be the last one.
 *
 * Throws `contradiction(reason)` for rows that exceed the total, for pages that end or
 * repeat before it, and for more than twice the announced pages, so that callers never
 * mistake a part for the whole or read forever.
 */
export async function* readPages<T, Page extends PageOfRows<T>>(
  read: (page: number) => Promise<Page>,
  contradiction: (reason: string) => Error,
  pageSize: number,
): AsyncGenerator<Page, void, undefined> {
  const starts = new Set<string | undefined>()
  let max: number | undefined
  for (let number = 1, seen = 0; ; number++) {
    const page = await read(number)
    const { items, total } = page
    const start = firstOf(items)
    const isOver = !items.length || starts.has(start)
    max ??= total ? (2 * total) / items.length + 1 : maxPages
    if (!isOver) seen += items.length
    if (number > max || (isOver ? seen < total! : seen > total!)) {
      throw contradiction(`${seen} of ${total ?? '?'} rows after page ${number}`)
    }
    if (isOver) return
    yield page
    if (seen >= total! && (number > 1 || items.length < pageSize)) return
    starts.add(start)
  }
}

/** Returns the first row as JSON, or undefined if it is nested too deeply. */
function firstOf(items: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(items[0])
  } catch {
    return undefined
  }
}
