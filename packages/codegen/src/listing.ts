import { ask, isRedirect, type LimitedEvent, redirectHelp } from './ask.ts'
import { CodegenError } from './errors.ts'
import { parse } from './json.ts'
import type { ServiceSource } from './options.ts'
import { isObject, itemsOf, textOf } from './shape.ts'

/** Progress after a page of the listing. */
export interface ListingPage {
  readonly pageNo: number
  /** Number of schemas so far. */
  readonly schemas: number
  /** Total number of schemas, if the service reports it. */
  readonly total: number | undefined
}

/** Events while a listing is read. */
export type ListingEvent = ({ readonly type: 'page' } & ListingPage) | LimitedEvent

/** Maximum number of pages. A longer listing without a count is considered endless. */
const mostPages = 1000
/** Maximum number of attempts to read a listing that changes while it is read. */
const readings = 3

/** Reason why pages do not form a consistent listing. */
interface Contradiction {
  readonly reason: string
  readonly schemas: number
  readonly expected?: number | undefined
}

/**
 * Reads all pages of `GET /data/v4/schemas`. Yields after each page and returns the raw
 * entries. If pages contradict each other or their count, the schemas may have changed in
 * between and the listing is read again. A listing that stays inconsistent is an error,
 * because a partial listing would remove modules.
 *
 * @throws CodegenError LISTING_FAILED, LISTING_INVALID; both name the project and the URL
 * @see section 4.5
 */
export async function* fetchListing(
  source: ServiceSource,
): AsyncGenerator<ListingEvent, readonly unknown[], undefined> {
  for (let reading = 1; ; reading++) {
    const { entries, contradiction } = yield* readPages(source)
    if (contradiction === undefined) return entries
    if (reading < readings) continue
    const { reason, ...counts } = contradiction
    throw failed(
      source,
      'LISTING_INVALID',
      'The pages of the schema listing contradict each other',
      {
        details: { reason, ...counts },
        help: 'Nothing was changed. Try again, ask for larger pages (pageSize), or generate from a saved listing.',
      },
    )
  }
}

async function* readPages(
  source: ServiceSource,
): AsyncGenerator<
  ListingEvent,
  { readonly entries: readonly unknown[]; readonly contradiction?: Contradiction },
  undefined
> {
  const entries: unknown[] = []
  const seen = new Set<string>()
  let total: number | undefined
  const contradict = (reason: string) => ({
    entries,
    contradiction: { reason, schemas: entries.length, expected: total },
  })
  for (let pageNo = 1; pageNo <= mostPages; pageNo++) {
    const body = yield* fetchPage(source, pageNo)
    const items = itemsOf(body)
    if (items === undefined) {
      throw failed(
        source,
        'LISTING_INVALID',
        `Page ${pageNo} of the schema listing holds no list`,
        { details: { expected: 'an array in data.items or items' } },
      )
    }
    const before = total
    total = totalOf(body)
    if (pageNo > 1 && total !== before) return contradict(`the count was ${before} before`)
    const keys = items.map(keyOf)
    const known = keys.filter((key) => seen.has(key)).length
    // A service that ignores PageNo returns the same page forever.
    const isRepeated = total === undefined && known === keys.length
    if (isRepeated) return { entries }
    if (known > 0) return contradict(`page ${pageNo} holds ${known} schemas of earlier pages`)
    entries.push(...items)
    for (const key of keys) seen.add(key)
    if (total !== undefined && entries.length > total) return contradict('there are more schemas')
    if (items.length === 0 && total !== entries.length) return contradict('there are fewer schemas')
    yield { type: 'page', pageNo, schemas: entries.length, total }
    // Services limit PageSize, so a short page is only the last one if there is no count.
    const isLast = total === undefined ? items.length < source.pageSize : entries.length === total
    if (isLast) return { entries }
  }
  return contradict(`there are more than ${mostPages} pages`)
}

/** Returns the identity of a schema across pages. */
function keyOf(item: unknown): string {
  const id = isObject(item) ? textOf(item['itemId']) : undefined
  return id ?? JSON.stringify(item)
}

async function* fetchPage(
  source: ServiceSource,
  pageNo: number,
): AsyncGenerator<LimitedEvent, unknown, undefined> {
  const query = new URLSearchParams({
    ProjectKey: source.projectKey,
    PageNo: String(pageNo),
    PageSize: String(source.pageSize),
  })
  const url = `${addressOf(source)}?${query.toString()}`
  const { status, text, location } = yield* ask(source, url, {}, (reason, cause) =>
    failed(source, 'LISTING_FAILED', 'Could not reach the service for its data schemas', {
      details: { reason },
      help: 'Check baseUrl and the network, or generate from a saved listing.',
      cause,
    }),
  )
  const body = parse(text)
  const refusal = isObject(body) && body['isSuccess'] === false
  if (status < 200 || status > 299 || refusal) {
    throw failed(source, 'LISTING_FAILED', 'Could not list the data schemas', {
      details: { status, location, reason: serviceMessage(body) },
      help: helpFor(status),
    })
  }
  if (body === undefined) {
    throw failed(source, 'LISTING_INVALID', 'The schema listing is no JSON', {
      details: { status, begins: JSON.stringify(text.slice(0, 60)), bytes: text.length },
      help: 'The answer is cut off, or baseUrl is not the address of the service.',
    })
  }
  return body
}

function failed(
  source: ServiceSource,
  code: 'LISTING_FAILED' | 'LISTING_INVALID',
  summary: string,
  { details, ...rest }: Omit<ConstructorParameters<typeof CodegenError>[1], 'code'>,
): CodegenError {
  return new CodegenError(summary, {
    code,
    details: { url: addressOf(source), project: source.projectKey, ...details },
    ...rest,
  })
}

const addressOf = (source: ServiceSource): string => `${source.baseUrl}/data/v4/schemas`

function totalOf(body: unknown): number | undefined {
  if (!isObject(body)) return undefined
  const inside = isObject(body['data']) ? body['data']['totalCount'] : undefined
  const total = inside ?? body['totalCount']
  return typeof total === 'number' ? total : undefined
}

/** Returns the error message of the service in any of its formats (section 7). */
function serviceMessage(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  const { Errors, errors, message, detail, title, error_description: described, error } = body
  const said = isObject(Errors) ? textOf(Errors['Message']) : undefined
  const fields = isObject(errors)
    ? Object.entries(errors).map(([field, text]) => `${field}: ${String(text)}`)
    : []
  return [said, textOf(detail), textOf(title), textOf(message), textOf(described), textOf(error)]
    .concat(fields.join('; ') || undefined)
    .find((text) => text !== undefined)
}

function helpFor(status: number): string {
  if (isRedirect(status)) return redirectHelp
  if (status === 429) return 'The rate limit is reached: wait, or use a saved listing.'
  if (status >= 500) return 'The service failed; nothing was changed. Try again later.'
  if (status === 401 || status === 403) return 'Check the project key and the authorization header.'
  return 'Check the project key and baseUrl.'
}
