import { execute } from '@servicekit/client/data'
import { ConfigError } from '@servicekit/client'
import { readCredentials } from '@servicekit/client/environment'
import { z } from 'zod'
import { readOnlyDocument } from '../read-only-document.ts'
import { defineTool } from '../tool.ts'

/** Runs a query on the data gateway. */
export const queryGateway = defineTool({
  name: 'query_gateway',
  title: 'Query the data gateway',
  description:
    'Runs one GraphQL query on the data gateway, with the rights of the configured client. Mutations and subscriptions are refused, and so are pages above the limit of rows. describe_schemas shows fields and an example.',
  usesNetwork: true,
  input: z.strictObject({
    query: z.string().min(1).max(20_000).describe('GraphQL document with a single query'),
    variables: z.record(z.string(), z.unknown()).default({}),
  }),
  output: z.object({ data: z.record(z.string(), z.unknown()) }),
  async run({ query, variables }, context, signal) {
    const { maxRows, packages } = context.options
    readOnlyDocument(packages.graphql, { query, variables, maxRows })
    const result = await execute(context.openCore(), { query, variables }, { signal })
    if (result.ok) return { data: result.data }
    const lines = result.errors.map(({ message, path, extensions }) => {
      const at = path === undefined ? '' : `${path.join('.')}: `
      const code = extensions?.['code']
      return `${at}${message}${typeof code === 'string' ? ` (${code})` : ''}`
    })
    throw new ConfigError('The gateway refused the query', {
      details: Object.fromEntries(lines.map((line, index) => [String(index + 1), line])),
      help: /NOT_AUTHENTICATED|NOT_AUTHORIZED|FORBIDDEN/.test(lines.join())
        ? readCredentials(context.options.environment).help
        : 'describe_schemas lists the schemas with their fields.',
    })
  },
})
