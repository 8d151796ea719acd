import { z } from 'zod'
import type { Access, ResponseDefinition, Operation } from './operation.ts'
import { operations as all } from './operations.ts'
import { projectHeader } from './route.ts'

type Json = { [key: string]: unknown }

/** OpenAPI 3.1 document, as plain data. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Json; readonly securitySchemes: Json }
}

/** Options of {@link openApiDocument}. */
export interface OpenApiOptions {
  /** Address that the paths are relative to; `/` by default. */
  readonly baseUrl?: string
  /** Operations to describe; all by default. */
  readonly operations?: readonly Operation[]
  /** Title of the document; that of the interface by default. */
  readonly title?: string
}

/**
 * Builds the OpenAPI 3.1 document of the interface from the operations. Named schemas
 * become components and are referenced.
 */
export function openApiDocument(options: OpenApiOptions = {}): OpenApiDocument {
  const components: Json = {}
  const paths: Record<string, Record<string, Json>> = {}
  const operations = options.operations ?? all
  const needsControl = operations.some(({ access }) => access.proofs.includes('control'))
  for (const operation of operations) {
    const { route } = operation
    const item = (paths[route.path] ??= {})
    item[route.method.toLowerCase()] = operationObject(operation, components)
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title ?? 'Platform service interface', version: '4' },
    servers: [{ url: options.baseUrl ?? '/' }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        project: { type: 'apiKey', in: 'header', name: projectHeader },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'Cookies of a session; the interface does not give their names.',
        },
        bearer: { type: 'http', scheme: 'bearer' },
        ...(needsControl && {
          control: { type: 'http', scheme: 'bearer', description: 'Control token of the platform' },
        }),
      },
    },
  }
}

function operationObject(operation: Operation, components: Json): Json {
  const { route } = operation
  const described: Json = {
    operationId: route.id,
    tags: [route.id.split('.')[0]],
    summary: operation.summary,
    description: [
      operation.description,
      operation.extension && 'Not part of the interface; offered by many instances.',
      !operation.extension && operation.section && `Section ${operation.section}.`,
    ]
      .filter(Boolean)
      .join(' '),
    security: securityOf(operation.access),
    parameters: [
      ...parametersOf(operation.path, 'path', components),
      ...parametersOf(operation.query, 'query', components),
    ],
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, definition]) => [
        status,
        describeResponse(definition, components),
      ]),
    ),
  }
  if (operation.body) {
    const mediaType = mediaTypes[route.body ?? 'json']
    described['requestBody'] = {
      required: !operation.body.safeParse(undefined).success,
      content: { [mediaType]: { schema: jsonSchema(operation.body, components, 'input') } },
    }
  }
  return described
}

const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  bytes: 'application/octet-stream',
} as const

/**
 * Returns the accepted proofs, each with the project key; the key alone is enough where
 * signing in is not required.
 */
function securityOf({ who, proofs }: Access): Json[] {
  // The project of a control operation is in its path.
  if (proofs.includes('control')) return proofs.map((proof) => ({ [proof]: [] }))
  const proven = proofs.map((proof) => ({ project: [], [proof]: [] }))
  return who === 'anyone' || who === 'optional' ? [{ project: [] }, ...proven] : proven
}

function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  components: Json,
): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => ({
    name,
    in: place,
    required: !(part as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(part as z.ZodType, components, 'output'),
  }))
}

function describeResponse(
  { description, schema, mediaType = 'application/json' }: ResponseDefinition,
  components: Json,
): Json {
  if (!schema) return { description }
  return {
    description,
    content: { [mediaType]: { schema: jsonSchema(schema, components, 'output') } },
  }
}

/** Converts `schema` to JSON Schema and moves named parts into `components`. */
function jsonSchema(schema: z.ZodType, components: Json, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Json
  for (const [name, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
    components[name] = relocate(withoutId(definition as Json))
  }
  const id = root['id']
  if (typeof id !== 'string') return relocate(root)
  components[id] = relocate(withoutId(root), id)
  return { $ref: `#/components/schemas/${id}` }
}

const withoutId = ({ id: _id, ...rest }: Json): Json => rest

/** Points each `$ref` at the components; `#` is the schema itself. */
function relocate(value: Json, self?: string): Json {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => {
      if (key !== '$ref' || typeof part !== 'string') return part
      const name = part === '#' ? self : part.replace(/^#\/\$defs\//, '')
      return `#/components/schemas/${name}`
    }),
  ) as Json
}
