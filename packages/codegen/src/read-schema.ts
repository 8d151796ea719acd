import { dataExecute } from '@servicekit/contract/routes'
import { parseJson, reasonOf, serviceMessage } from '@servicekit/core'
import { CodegenError } from './errors.ts'
import { type ExecutableSchema, readIntrospection } from './executable-schema.ts'
import type { EmitEvent } from './fetch-listing.ts'
import { asCodegenError, openService, type ServiceSource } from './service.ts'

/**
 * Parses SDL with graphql-js, an optional peer dependency.
 *
 * @throws CodegenError LISTING_INVALID, or CONFIG_INVALID if graphql is not installed
 */
export async function readSdl(text: string, from: string): Promise<ExecutableSchema> {
  const { buildSchema, introspectionFromSchema } = await import('graphql').catch((cause) => {
    throw new CodegenError('Cannot read SDL without the package graphql', {
      code: 'CONFIG_INVALID',
      details: { from, reason: reasonOf(cause) },
      help: 'Run `npm install -D graphql`, or use a saved listing.',
      cause,
    })
  })
  try {
    return readIntrospection(introspectionFromSchema(buildSchema(text)))
  } catch (cause) {
    throw new CodegenError('The schema is not valid SDL', {
      code: 'LISTING_INVALID',
      details: { from, reason: reasonOf(cause) },
      cause,
    })
  }
}

/**
 * Introspection query with the parts that the generator needs. Types are three levels
 * deep, like `[Product!]!`.
 */
const query = `{ __schema { queryType { name } mutationType { name } types { kind name
  enumValues { name }
  fields { name description args { name type { ...use } } type { ...use } }
  inputFields { name type { ...use } } } } }
fragment use on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

/**
 * Requests the executable schema of the gateway by introspection.
 *
 * @throws CodegenError LISTING_FAILED, e.g. if introspection requires a signed-in user
 * @see section 4.5
 */
export async function fetchIntrospection(
  source: ServiceSource,
  emit: EmitEvent,
): Promise<ExecutableSchema> {
  const intent = 'read the schema of the gateway'
  try {
    const response = await openService(source, emit).send(dataExecute, {
      json: { query },
      effect: 'read',
      intent,
      ...(source.signal && { signal: source.signal }),
    })
    const schema = readIntrospection(response.json())
    if (schema.queries.length > 0) return schema
    throw new CodegenError(`Cannot ${intent}`, {
      code: 'LISTING_FAILED',
      details: {
        project: source.projectKey,
        url: source.baseUrl + dataExecute.path,
        message:
          serviceMessage(parseJson(response.redactedText())) ?? 'The response contains no schema',
      },
      help: source.credentials.help,
    })
  } catch (error) {
    throw asCodegenError(error)
  }
}
