/**
 * Handlers of Mock Service Worker for the operations of a generated gateway, typed by their
 * documents. Requires `msw`.
 */
import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import { http, HttpResponse, type HttpHandler } from 'msw'

/** Document of a generated operation: a string or a syntax tree, typed with its result. */
export type MockedDocument<D, V> = (string | object) & {
  readonly __apiType?: (variables: V) => D
}

/** Value that an operation returns: the only member of its data. */
export type MockedValue<D> = Exclude<D[keyof D], null | undefined>

/** Value of the operation, or a response such as {@link refusal} or `HttpResponse.error()`. */
export type MockedResponse<D> = MockedValue<D> | Response

const endpoint = '*/data/v4/gateway'

/**
 * Creates a handler for an operation. Its variables and its value are typed by the document.
 * The list document also handles get, count, walks and pick lists, which list rows, too.
 *
 * ```ts
 * setupServer(
 *   handleOperation(listProductsDocument, () => pageOf([makeProduct()])),
 *   handleOperation(updateProductDocument, () => refusal('You may not edit Product.')),
 * )
 * ```
 */
export function handleOperation<D, V>(
  document: MockedDocument<D, V>,
  respond: (variables: V) => MockedResponse<D> | Promise<MockedResponse<D>>,
): HttpHandler {
  const field = fieldOf(document)
  return http.post(endpoint, async ({ request }) => {
    const { query, variables } = parseExactJson(await request.clone().text()) as {
      query: string
      variables?: V
    }
    // Without a response, msw tries the next handler.
    if (fieldOf(query) !== field) return
    const value = await respond((variables ?? {}) as V)
    if (isResponse(value)) return value
    const data: Record<string, unknown> = { [field]: value }
    // A walk reads the page before again.
    const before = `${field}Before`
    if (query.includes(`${before}:`)) {
      const { before: paging, ...rest } = variables as V & { readonly before: unknown }
      data[before] = await respond({ ...rest, paging } as V)
    }
    // A Long may be a bigint, which JSON has in digits.
    return new HttpResponse(printExactJson({ data }), {
      headers: { 'content-type': 'application/json' },
    })
  })
}

/** Test environments such as happy-dom replace the global class. */
const isResponse = (value: unknown): value is Response =>
  Object.prototype.toString.call(value) === '[object Response]'

/** Page of a list that consists of all rows. */
export interface MockedPage<R> {
  readonly items: readonly R[]
  readonly totalCount: number
  readonly pageNo: number
  readonly pageSize: number
  readonly totalPages: number
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** Returns the page of a list with these rows among all rows; the first of 10 by default. */
export function pageOf<R>(
  rows: readonly R[],
  { pageNo, pageSize }: { readonly pageNo: number; readonly pageSize: number } = {
    pageNo: 1,
    pageSize: 10,
  },
): MockedPage<R> {
  const totalPages = Math.ceil(rows.length / pageSize)
  return {
    items: rows.slice((pageNo - 1) * pageSize, pageNo * pageSize),
    totalCount: rows.length,
    pageNo,
    pageSize,
    totalPages,
    hasNextPage: pageNo < totalPages,
    hasPreviousPage: pageNo > 1,
  }
}

/** Result of a mutation that changed these records. */
export interface MockedChange {
  readonly acknowledged: true
  readonly itemId: string | null
  readonly itemIds: readonly string[]
  readonly totalImpactedData: number
  readonly message: null
}

/** Returns the result of a mutation that changed the records with these ItemIds. */
export const acknowledged = (...itemIds: readonly string[]): MockedChange => ({
  acknowledged: true,
  itemId: itemIds[0] ?? null,
  itemIds,
  totalImpactedData: itemIds.length,
  message: null,
})

/** Returns a response with an error, such as that of a caller who may not do something. */
export const refusal = (message: string, code = 'AUTH_NOT_AUTHORIZED'): Response =>
  HttpResponse.json({ data: null, errors: [{ message, extensions: { code } }] })

interface SyntaxTree {
  readonly definitions: readonly {
    readonly selectionSet: { readonly selections: readonly { readonly name: { value: string } }[] }
  }[]
}

/** Returns the root field of a document. Generated documents have one. */
function fieldOf(document: unknown): string {
  if (typeof document !== 'string') {
    return (document as SyntaxTree).definitions[0]!.selectionSet.selections[0]!.name.value
  }
  return /\{\s*(\w+)\s*[({]/.exec(document)?.[1] ?? ''
}
