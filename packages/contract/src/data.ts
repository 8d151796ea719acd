import { z } from 'zod'
import { FieldErrors, GatewayError } from './errors.ts'
import { access, defineOperation, rejections } from './operation.ts'
import * as routes from './routes.ts'

/** Access levels of a schema or a field; see `AccessLevel`. */
const accessLevels = {
  readAccessLevel: z.int().describe('Access level required to read; see AccessLevel').optional(),
  writeAccessLevel: z.int().describe('Access level required to insert').optional(),
  editAccessLevel: z.int().describe('Access level required to update').optional(),
  deleteAccessLevel: z.int().describe('Access level required to delete').optional(),
}

/**
 * Field of a data schema. `type` is a scalar name (String, Int, Float, Boolean, DateTime,
 * ID, Long, GeoJson) or the name of a nested object's schema. Members other than the name are
 * absent on some instances.
 *
 * ```json
 * {"name": "Price", "type": "Float", "isArray": false, "requiredOn": "Insert",
 *  "description": "Net, in EUR", "fields": []}
 * ```
 */
export interface SchemaField {
  readonly name: string
  readonly type?: string | undefined
  readonly isArray?: boolean | undefined
  readonly requiredOn?: string | undefined
  readonly description?: string | null | undefined
  readonly fields?: readonly SchemaField[] | null | undefined
  readonly readAccessLevel?: number | undefined
  readonly writeAccessLevel?: number | undefined
  readonly editAccessLevel?: number | undefined
  readonly deleteAccessLevel?: number | undefined
}
export const SchemaField: z.ZodType<SchemaField> = z
  .looseObject({
    name: z.string(),
    type: z.string().optional(),
    isArray: z.boolean().optional(),
    requiredOn: z.string().describe('None, Insert, Update or Both').optional(),
    description: z.string().nullish(),
    ...accessLevels,
    get fields() {
      return z.array(SchemaField).nullish()
    },
  })
  .meta({ id: 'SchemaField' })

/**
 * Data schema (section 2.10). Use operation names as listed; never derive them from the
 * schema's name.
 *
 * ```json
 * {"id": "…", "schemaName": "Product", "collectionName": "Products", "schemaType": 1,
 *  "querySchema": "Products", "mutationSchemas": ["insertProduct"], "fields": []}
 * ```
 */
export const DataSchema = z
  .looseObject({
    id: z.string().optional(),
    schemaName: z.string(),
    collectionName: z.string().optional(),
    schemaType: z.int().describe('1 entity, 2 nested object').optional(),
    querySchema: z.string().nullish(),
    mutationSchemas: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).nullish(),
    fields: z.array(SchemaField).nullish(),
    ...accessLevels,
  })
  .meta({ id: 'DataSchema' })
export type DataSchema = z.infer<typeof DataSchema>

/** Response of the schema listing. The schemas are in `data.items` or in `items`. */
export const SchemaListing = z
  .looseObject({
    isSuccess: z.boolean().optional(),
    message: z.string().nullish(),
    httpStatusCode: z.int().optional(),
    errors: FieldErrors.optional(),
    data: z.object({ totalCount: z.int(), items: z.array(DataSchema) }).optional(),
    items: z.array(DataSchema).optional(),
  })
  .meta({ id: 'SchemaListing' })
export type SchemaListing = z.infer<typeof SchemaListing>

/** Request to the data gateway. */
export const GatewayRequest = z
  .object({
    query: z.string().min(1).describe('A GraphQL document'),
    variables: z.record(z.string(), z.unknown()).nullish(),
    operationName: z.string().describe('Operation to run, if the document has several').nullish(),
  })
  .meta({ id: 'GatewayRequest' })
export type GatewayRequest = z.infer<typeof GatewayRequest>

/**
 * GraphQL result. An HTTP success status is not sufficient: check `errors` before `data`
 * (rule 5).
 */
export const GatewayResponseBody = z
  .looseObject({
    data: z.record(z.string(), z.unknown()).nullish(),
    errors: z.array(GatewayError).optional(),
  })
  .meta({ id: 'GatewayResponseBody' })
export type GatewayResponseBody = z.infer<typeof GatewayResponseBody>

/** Result of an insert (rule 4). Only `acknowledged` decides success, regardless of the count. */
export const MutationResult = z
  .object({
    acknowledged: z.boolean(),
    itemId: z.string().nullable(),
    totalImpactedData: z.int(),
    message: z.string().nullable(),
  })
  .meta({ id: 'MutationResult' })
export type MutationResult = z.infer<typeof MutationResult>

export const listSchemas = defineOperation(routes.dataListSchemas, {
  section: '4.5',
  summary: 'One page of the project’s data schemas',
  access: access.key,
  query: z.object({
    ProjectKey: z.string().min(1),
    PageNo: z.coerce.number().int().min(1).default(1),
    PageSize: z.coerce.number().int().min(1).max(1000).default(10),
  }),
  responses: { 200: { description: 'The schemas', schema: SchemaListing }, ...rejections },
})

export const execute = defineOperation(routes.dataExecute, {
  section: '4.5',
  summary: 'Run a GraphQL query or mutation against the project’s schemas',
  access: access.optional,
  denied: 'result',
  body: GatewayRequest,
  responses: {
    200: {
      description: 'The GraphQL result; a failure is in `errors`',
      schema: GatewayResponseBody,
    },
    ...rejections,
  },
})
