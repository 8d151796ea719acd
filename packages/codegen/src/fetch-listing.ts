import { listSchemas } from '@servicekit/client/data'
import { dataListSchemas } from '@servicekit/contract/routes'
import { isObject, readPages } from '@servicekit/core'
import { CodegenError } from './errors.ts'
import { trimmedText } from './normalise.ts'
import { asCodegenError, type LimitedEvent, openService, type ServiceSource } from './service.ts'

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

export type EmitEvent = (event: ListingEvent) => void

/** Maximum number of attempts to read a listing that changes while it is read. */
const attempts = 3

/**
 * Reads all pages of `GET /data/v4/schemas` and returns the raw entries. If pages contradict
 * each other or their count, the schemas may have changed in between and the listing is read
 * again. A listing that stays inconsistent is an error, because a partial listing would
 * remove modules.
 *
 * @throws CodegenError LISTING_FAILED, LISTING_INVALID; both name the project and the URL
 * @see section 4.5
 */
export async function fetchListing(
  source: ServiceSource,
  emit: EmitEvent,
): Promise<readonly unknown[]> {
  const url = source.baseUrl + dataListSchemas.path
  let contradiction: CodegenError | undefined
  const contradict = (reason: string): CodegenError =>
    (contradiction = new CodegenError('The pages of the schema listing contradict each other', {
      code: 'LISTING_INVALID',
      details: { project: source.projectKey, url, reason },
      help: 'Nothing was changed. Try again, set a larger pageSize, or generate from a saved listing.',
    }))
  for (let attempt = 1; ; attempt++) {
    try {
      return await readEntries(source, emit, contradict)
    } catch (error) {
      if (error !== contradiction) throw asCodegenError(error, { url })
      if (attempt === attempts) throw error
    }
  }
}

async function readEntries(
  source: ServiceSource,
  emit: EmitEvent,
  contradict: (reason: string) => CodegenError,
): Promise<readonly unknown[]> {
  const { pageSize, signal } = source
  const { page } = listSchemas(openService(source, emit), { pageSize, ...(signal && { signal }) })
  const entries: unknown[] = []
  const ids = new Set<string>()
  let pageNo = 0
  let count: number | undefined
  for await (const { items, total } of readPages(page, contradict, pageSize)) {
    pageNo++
    if (pageNo > 1 && total !== count) {
      throw contradict(`totalCount changed from ${count} to ${total} on page ${pageNo}`)
    }
    count = total
    const newIds = items.map(idOf)
    if (newIds.some((id) => ids.has(id))) {
      throw contradict(`page ${pageNo} contains schemas of earlier pages`)
    }
    for (const id of newIds) ids.add(id)
    entries.push(...items)
    emit({ type: 'page', pageNo, schemas: entries.length, total })
  }
  return entries
}

/** Returns the identity of a schema across pages. */
function idOf(item: unknown): string {
  const name = isObject(item) ? trimmedText(item['schemaName']) : undefined
  return name ?? JSON.stringify(item)
}
