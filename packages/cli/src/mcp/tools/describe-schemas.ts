import { resolve } from 'node:path'
import { readText } from '@servicekit/catalog'
import { listSchemas } from '@servicekit/client/data'
import {
  buildModel,
  lockName,
  normaliseListing,
  parseLock,
  type SchemaModel,
} from '@servicekit/codegen'
import { ConfigError } from '@servicekit/client'
import { gatewayShapes } from '@servicekit/contract/service'
import { z } from 'zod'
import type { McpContext } from '../context.ts'
import { rejectUnknown } from '../reject-unknown.ts'
import { defineTool } from '../tool.ts'
import { limitOf } from './message-shape.ts'

/** Describes the schemas of the data gateway. */
export const describeSchemas = defineTool({
  name: 'describe_schemas',
  title: 'Describe schemas of the data gateway',
  description:
    'Lists the schemas of the data gateway with their fields and operations, of the service, or of gateway.lock.json without one. Read it before you write a query.',
  usesNetwork: true,
  input: z.strictObject({
    names: z.array(z.string()).min(1).optional().describe('Schemas to describe; default: all'),
    limit: limitOf(20, 200),
  }),
  output: z.object({
    total: z.int(),
    schemas: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['entity', 'object']).describe('An object is only part of entities'),
        query: z.string().optional().describe('Field of Query that lists the records'),
        mutations: z.array(z.string()),
        fields: z.array(
          z.object({
            name: z.string(),
            type: z.string(),
            isArray: z.boolean(),
            requiredOn: z.string().describe('None, Insert, Update or Both'),
            description: z.string().optional(),
          }),
        ),
      }),
    ),
    usage: z.string(),
  }),
  async run({ names, limit }, context, signal) {
    const { preset = 'interface' } = context.project.options
    const { queryNaming = gatewayShapes[preset].queryNaming } = context.options.config.gateway
    const { schemas } = buildModel(normaliseListing(await readListing(context, signal)), {
      queryNaming,
    })
    for (const name of names ?? [])
      rejectUnknown(
        'schema',
        name,
        schemas.map((one) => one.name),
      )
    const found = schemas.filter(({ name }) => names === undefined || names.includes(name))
    return { total: found.length, schemas: found.slice(0, limit).map(describe), usage }
  },
})

const usage =
  '{ Products(where: {Price: {gt: 10}}, order: [{field: "Name", direction: ASC}], paging: {pageNo: 1, pageSize: 20}) { totalCount items { ItemId Name } } }'

const describe = ({ name, kind, list, mutations, fields }: SchemaModel) => ({
  name,
  kind,
  ...(list && { query: list.field }),
  mutations: Object.values(mutations).map(({ field }) => field),
  fields: fields.map(({ name: field, type, isArray, requiredOn, description }) => ({
    name: field,
    type,
    isArray,
    requiredOn,
    ...(description !== '' && { description }),
  })),
})

async function readListing(
  { options: { config }, project, openCore }: McpContext,
  signal: AbortSignal,
): Promise<unknown> {
  if (project.options.baseUrl !== undefined) {
    const schemas: unknown[] = []
    for await (const schema of listSchemas(openCore(), { signal })) schemas.push(schema)
    return schemas
  }
  const { outDir = 'src/gateway' } = config.gateway
  const { listing } = parseLock(await readText(resolve(config.root, outDir, lockName)))
  if (listing !== undefined) return listing
  throw new ConfigError('There is neither a service nor a gateway.lock.json', {
    help: 'Set baseUrl and projectKey in servicekit.config, or run servicekit codegen.',
  })
}
