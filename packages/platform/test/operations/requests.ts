import type { Operation } from '@servicekit/contract'
import { z } from 'zod'
import { allCases } from './all-cases.ts'
import type { Sent, World } from './world.ts'

/** Returns the request of the first case that succeeds, or else of any. */
export async function requestOf(world: World, { route }: Operation): Promise<Sent> {
  const cases = allCases[route.id]!
  for (const one of [...cases].sort((a, b) => a.status - b.status)) {
    let sent: Sent | undefined
    const send: World['send'] = (given) => {
      sent = given
      return world.send(given)
    }
    await one.send({ ...world, send })
    if (sent) return sent
  }
  throw new Error(`${route.id} has no case that sends a request.`)
}

let count = 0
const newNames = () => ({ email: `odd${++count}@example.com`, userName: `odd${count}` })
const newCode = async (world: World) => ({ code: (await world.invite()).code })

const fresh: Readonly<Record<string, (world: World) => object | Promise<object>>> = {
  'iam.createUser': newNames,
  'idp.createUser': newNames,
  'auth.activate': newCode,
  'idp.activate': newCode,
  // Use another user: the sender of these requests must keep its roles.
  'idp.updateUser': () => ({ itemId: 'bob' }),
  'iam.setAccess': () => ({ userId: 'bob' }),
}

/** Returns members without which a repeated request would be rejected before it stores anything. */
export const freshMembers = async (world: World, { route }: Operation): Promise<object> =>
  (await fresh[route.id]?.(world)) ?? {}

/** Member names and array indexes that lead to a value. */
export type Path = readonly string[]

/** Returns the path of every member that a schema names, at any depth. */
export function membersOf(schema: unknown, at: Path = []): readonly Path[] {
  if (at.length > 3) return []
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return membersOf(schema.unwrap(), at)
  if (schema instanceof z.ZodDefault) return membersOf(schema.unwrap(), at)
  if (schema instanceof z.ZodArray) return membersOf(schema.element, [...at, '0'])
  if (schema instanceof z.ZodDiscriminatedUnion || schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => membersOf(option, at))
  }
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, part]) => [
    [...at, name],
    ...membersOf(part, [...at, name]),
  ])
}

/** Returns a copy of a value in which one member is replaced. */
export function withMember(value: unknown, [name, ...rest]: Path, given: unknown): unknown {
  if (name === undefined) return given
  if (name === '0') {
    const list = Array.isArray(value) && value.length > 0 ? (value as unknown[]) : [{}]
    return [withMember(list[0], rest, given), ...list.slice(1)]
  }
  const members = (typeof value === 'object' && value !== null ? value : {}) as object
  return { ...members, [name]: withMember(members[name as keyof object], rest, given) }
}

/** Sends a request and returns how the response differs from the contract. */
export async function oddityOf(
  world: World,
  { responses }: Operation,
  sent: Sent,
): Promise<string | undefined> {
  const response = await world.send(sent)
  const text = await response.text()
  if (response.status >= 500) return `${response.status} ${text}`
  if (!(response.status in responses)) return `${response.status} is not documented`
  const isJson = response.headers.get('content-type')?.includes('json')
  const schema = responses[response.status]!.schema
  const { error } = schema?.safeParse(isJson ? JSON.parse(text) : text) ?? {}
  return error && `${response.status} in another shape: ${text.slice(0, 300)}`
}
