import { data } from '@servicekit/contract'
import { z } from 'zod'

/**
 * Query of the schema listing, with the filters that deployed instances have. They are not part of
 * the interface.
 */
export const SchemaQuery = data.listSchemas.query.extend({
  /** Name of the schema. */
  SchemaName: z.string().optional(),
  /** Part of the name, in any case. */
  Keyword: z.string().optional(),
  /** 1 entity, 2 nested object; 0 for both. */
  SchemaType: z.coerce.number().int().min(0).max(2).optional(),
})
