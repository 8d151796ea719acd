import { z } from 'zod'

/** Sort order of a list, by field name. */
export const Sort = z
  .object({ property: z.string(), isDescending: z.boolean().default(false) })
  .meta({ id: 'Sort' })
export type Sort = z.infer<typeof Sort>

/** Rows per page; the interface defines neither a default nor a maximum (section 8). */
const pageSize = z.int().min(1).max(1000).default(10)

/**
 * Members common to every list request.
 *
 * @param first Number of the first page: 1 in `idp/v1`, 0 in `iam/v4` and for files.
 */
export const pageRequest = (first: 0 | 1) => ({
  page: z.int().min(first).default(first).describe(`Page number, from ${first}`),
  pageSize,
  sort: Sort.nullish(),
})
