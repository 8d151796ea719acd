import { setTimeout } from 'node:timers/promises'
import { CodegenError, reasonOf } from './errors.ts'
import { parse } from './json.ts'
import type { ServiceSource } from './options.ts'
import { isObject, itemsOf, textOf } from './shape.ts'

/** Progress of the listing: what is known after a page. */
export interface ListingPage {
  readonly pageNo: number
  /** Schemas so far. */
  readonly schemas: number
  /** Schemas in all, where the instance says it. */
  readonly total: number | undefined
}

/** A listing that does not end is an instance that ignores PageNo. */
const mostPages = 10_000
const attempts = 3

/**
 * Reads all pages of `GET /data/v4/schemas`. Yields after each page and returns
 * the entries as they came.
 *
 * @throws CodegenError LISTING_FAILED, LISTING_INVALID; both name the project and the address
 * @see section 4.5
 */
export async function* fetchListing(
  source: ServiceSource,
): AsyncGenerator<ListingPage, readonly unknown[], undefined> {
  const entries: unknown[] = []
  let last = ''
  let total: number | undefined
  for (let pageNo = 1; pageNo <= mostPages; pageNo++) {
    const body = await fetchPage(source, pageNo)
    const items = itemsOf(body)
    if (items === undefined) {
      throw failed(
        source,
        'LISTING_INVALID',
        `Page ${pageNo} of the schema listing holds no list`,
        {
          facts: { expected: 'an array in data.items or items' },
        },
      )
    }
    // An instance that ignores PageNo answers the same page for ever.
    const text = JSON.stringify(items)
    if (items.length === 0 || text === last) break
    last = text
    for (const item of items) entries.push(item)
    total = totalOf(body)
    yield { pageNo, schemas: entries.length, total }
    // Instances cap PageSize, so that a short page is no end where there is a count.
    if (total === undefined ? items.length < source.pageSize : entries.length >= total)
      return entries
  }
  // Half a listing would take the other half's modules away.
  if (entries.length < (total ?? 0)) {
    throw failed(source, 'LISTING_INVALID', 'The schema listing ends before its count', {
      facts: { schemas: entries.length, expected: total },
      help: 'Ask for larger pages (pageSize), or generate from a saved listing.',
    })
  }
  return entries
}

async function fetchPage(source: ServiceSource, pageNo: number): Promise<unknown> {
  const query = new URLSearchParams({
    ProjectKey: source.projectKey,
    PageNo: String(pageNo),
    PageSize: String(source.pageSize),
  })
  const { status, text } = await get(source, `${addressOf(source)}?${query.toString()}`)
  const body = parse(text)
  const refusal = isObject(body) && body['isSuccess'] === false
  if (status < 200 || status > 299 || refusal) {
    throw failed(source, 'LISTING_FAILED', 'Could not list the data schemas', {
      facts: { status, reason: serviceMessage(body) },
      help: helpFor(status),
    })
  }
  if (body === undefined) {
    throw failed(source, 'LISTING_INVALID', 'The schema listing is no JSON', {
      facts: { status, begins: JSON.stringify(text.slice(0, 60)), bytes: text.length },
      help: 'The answer is cut off, or baseUrl is not the address of the service.',
    })
  }
  return body
}

/** A GET that is repeated while the service asks for patience: rate limit, restart. */
async function get(
  source: ServiceSource,
  url: string,
): Promise<{ readonly status: number; readonly text: string }> {
  for (let attempt = 1; ; attempt++) {
    const timeout = AbortSignal.timeout(source.timeoutMs)
    try {
      const response = await source.fetch(url, {
        headers: {
          accept: 'application/json',
          'x-service-key': source.projectKey,
          ...source.headers,
        },
        signal: source.signal === undefined ? timeout : AbortSignal.any([source.signal, timeout]),
      })
      const text = await response.text()
      const { status } = response
      if (![429, 502, 503, 504].includes(status) || attempt === attempts) return { status, text }
      // Seconds, or a date: what cannot be read as seconds is waited for as if nothing were said.
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      const waitMs = seconds >= 0 ? Math.min(seconds * 1000, 60_000) : 1000 * 2 ** attempt
      await setTimeout(
        waitMs,
        undefined,
        source.signal === undefined ? {} : { signal: source.signal },
      )
    } catch (cause) {
      const late = timeout.aborted && source.signal?.aborted !== true
      throw failed(source, 'LISTING_FAILED', 'Could not reach the service for its data schemas', {
        facts: { reason: late ? `no answer within ${source.timeoutMs} ms` : reasonOf(cause) },
        help: 'Check baseUrl and the network, or generate from a saved listing.',
        cause,
      })
    }
  }
}

function failed(
  source: ServiceSource,
  code: 'LISTING_FAILED' | 'LISTING_INVALID',
  summary: string,
  { facts, ...rest }: Omit<ConstructorParameters<typeof CodegenError>[1], 'code'>,
): CodegenError {
  return new CodegenError(summary, {
    code,
    facts: { url: addressOf(source), project: source.projectKey, ...facts },
    ...rest,
  })
}

const addressOf = (source: ServiceSource): string => `${source.baseUrl}/data/v4/schemas`

function totalOf(body: unknown): number | undefined {
  if (!isObject(body)) return undefined
  const total = isObject(body['data']) ? body['data']['totalCount'] : body['totalCount']
  return typeof total === 'number' ? total : undefined
}

/** What the service says about a failure, in any of its forms (section 7). */
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
  if (status === 429) return 'The rate limit is reached: wait a minute, or use a saved listing.'
  if (status >= 500) return 'The service failed; nothing was changed. Try again later.'
  if (status === 401 || status === 403) return 'Check the project key and the authorization header.'
  return 'Check the project key and baseUrl.'
}
