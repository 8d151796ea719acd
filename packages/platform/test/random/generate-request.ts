import { hostileText, mutated } from './hostile.ts'
import type { Random } from '@servicekit/testing/random'

export type Json = Readonly<Record<string, unknown>>

/** Operation of an OpenAPI document, reduced to what requests need. */
export interface DescribedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Json
  }[]
  readonly body: Json | undefined
  readonly isForm: boolean
  readonly responses: Json
}

export function operationsOf(document: Json): readonly DescribedOperation[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, described]): DescribedOperation => {
        const content = (described['requestBody'] as Json | undefined)?.['content'] as
          | Record<string, { schema: Json }>
          | undefined
        const [type, media] = Object.entries(content ?? {})[0] ?? []
        return {
          id: described['operationId'] as string,
          method: method.toUpperCase(),
          path,
          parameters: described['parameters'] as DescribedOperation['parameters'],
          body: media?.schema,
          isForm: type === 'application/x-www-form-urlencoded',
          responses: described['responses'] as Json,
        }
      }),
  )
}

/** Request in a form that can be sent repeatedly. */
export interface GeneratedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Returns an existing value for a member or parameter, by its name. */
export type Known = (name: string, operation: string, random: Random) => unknown

/** Generates a request for an operation: most are valid, the others wrong in one or two places. */
export function generateRequest(
  operation: DescribedOperation,
  document: Json,
  known: Known,
  random: Random,
): GeneratedRequest {
  const value = (schema: Json, name: string, depth = 0): unknown =>
    valueOf(schema, name, depth, { document, known, random, operation: operation.id })
  // More than half of the invalid requests are invalid in the body.
  const isWrong = random.chance(0.25)
  const isBodyWrong = isWrong && (operation.parameters.length === 0 || random.chance(0.6))
  const query = new URLSearchParams()
  let { path } = operation
  for (const parameter of operation.parameters) {
    if (!parameter.required && random.chance(0.5)) continue
    const isChanged = isWrong && !isBodyWrong && random.chance(0.5)
    if (isChanged && random.chance(0.2) && parameter.in === 'query') continue
    const text = isChanged
      ? hostileText(random).slice(0, 4000)
      : String(value(parameter.schema, parameter.name))
    if (parameter.in === 'query') query.append(parameter.name, text)
    else path = path.replace(`{${parameter.name}}`, () => segmentOf(text))
  }
  if (isWrong && random.chance(0.2)) query.append(hostileText(random).slice(0, 200), 'x')
  const search = query.size > 0 ? `?${query}` : ''
  if (!operation.body) {
    return { method: operation.method, path: path + search, headers: {}, body: undefined }
  }
  let given = value(operation.body, '')
  for (let count = isBodyWrong ? 1 + random.below(2) : 0; count > 0; count--) {
    given = mutated(given, random)
  }
  const type = operation.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method: operation.method,
    path: path + search,
    headers: { 'content-type': type },
    body: isBodyWrong && random.chance(0.1) ? notEven(given, random) : encoded(given, operation),
  }
}

/** Returns a path segment: never empty, `.` or `..`. */
const segmentOf = (text: string): string => {
  const segment = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
  return /^(?:\.|%2e){0,2}$/i.test(segment) ? `x${segment}` : segment
}

function encoded(given: unknown, { isForm }: DescribedOperation): string {
  if (!isForm || typeof given !== 'object' || given === null) return JSON.stringify(given)
  const texts = Object.entries(given).map(([name, one]): [string, string] => [
    name,
    typeof one === 'string' ? one : JSON.stringify(one),
  ])
  return new URLSearchParams(texts).toString()
}

/** Returns a string that is not valid JSON. */
const notEven = (given: unknown, random: Random): string => {
  const text = JSON.stringify(given)
  return random.pick(['', '{', text.slice(0, -1), `${text}${text}`, '\u0000', 'undefined'])
}

interface Making {
  readonly document: Json
  readonly known: Known
  readonly random: Random
  readonly operation: string
}

function valueOf(schema: Json, name: string, depth: number, making: Making): unknown {
  const { random } = making
  const found = making.known(name, making.operation, random)
  if (found !== undefined) return found
  const reference = schema['$ref'] as string | undefined
  if (reference !== undefined) {
    const { schemas } = making.document['components'] as { schemas: Record<string, Json> }
    return valueOf(schemas[reference.split('/').at(-1)!]!, name, depth, making)
  }
  const options = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined
  if (options) return valueOf(random.pick(options), name, depth, making)
  if ('const' in schema) return schema['const']
  if (schema['enum']) return random.pick(schema['enum'] as readonly unknown[])
  const type = [schema['type']].flat()
  switch (random.pick(type)) {
    case 'object': {
      const required = (schema['required'] as readonly string[] | undefined) ?? []
      const members = Object.entries(
        (schema['properties'] as Record<string, Json> | undefined) ?? {},
      )
      const taken = members.filter(
        ([one]) => required.includes(one) || random.chance(depth > 2 ? 0.1 : 0.35),
      )
      return Object.fromEntries(
        taken.map(([one, part]) => [one, valueOf(part, one, depth + 1, making)]),
      )
    }
    case 'array':
      return Array.from({ length: random.below(3) }, () =>
        valueOf((schema['items'] as Json | undefined) ?? {}, name, depth + 1, making),
      )
    case 'integer':
      return Math.min(random.below(12), (schema['maximum'] as number | undefined) ?? 12)
    case 'number':
      return random.next()
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'string':
      return `text ${random.below(1000)}`
    default:
      return `any ${random.below(10)}`
  }
}
