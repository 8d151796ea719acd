import { z } from 'zod'

/** How a list is sorted, by the name of a field. */
export const Sort = z
  .object({ property: z.string(), isDescending: z.boolean().default(false) })
  .meta({ id: 'Sort' })
export type Sort = z.infer<typeof Sort>

/** Rows of a page; the interface names neither a default nor a largest one (section 8). */
const pageSize = z.int().min(1).max(1000).default(10)

/**
 * What every list request has in common.
 *
 * @param first Number of the first page: 1 in `idp/v1`, 0 in `iam/v4` and for files.
 */
export const pageRequest = (first: 0 | 1) => ({
  page: z.int().min(first).default(first).describe(`The first page is ${first}`),
  pageSize,
  sort: Sort.nullish(),
})
