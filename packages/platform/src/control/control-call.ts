import { parseJson } from '@servicekit/core'
import { type parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Scopes, scopesOf, type Tables } from '../database/database.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readText } from '@servicekit/core/node'
import type { Project } from '../projects/project-directory.ts'
import { scopedAndLocked } from '../projects/versions.ts'
import type { Services } from '../services.ts'

/** Application that control routes are added to, and the services they use. */
export interface Control {
  readonly app: Hono<AppEnv>
  readonly services: () => Promise<Services>
}

/** Request about one project that changes nothing. */
export interface ReadCall extends Pick<Scopes, 'snapshot'> {
  readonly c: Context<AppEnv>
  readonly services: Services
  readonly project: Project
  readonly param: (name: string) => string
  readonly query: Readonly<Record<string, string>>
}

/** Request about one project. */
export interface ControlCall extends ReadCall, Scopes {
  readonly read: <S extends z.ZodType>(schema: S) => Promise<z.infer<S>>
  /** Runs `work` like `transaction`, with the lock of the project. */
  readonly locked: Scopes['transaction']
}

/**
 * Adds a route below `/projects/:key`, such as `GET /tools/:id`. The response is the value
 * that the handler returns, as JSON; 204 if it is undefined. A GET changes nothing: its handler
 * gets no transaction, because any page can send one.
 */
export function onProject(
  control: Control,
  route: `GET /${string}`,
  handle: (call: ReadCall) => Promise<unknown>,
): void
export function onProject(
  control: Control,
  route: `${'POST' | 'PUT' | 'DELETE'} /${string}`,
  handle: (call: ControlCall) => Promise<unknown>,
): void
export function onProject(
  { app, services }: Control,
  route: string,
  handle: (call: ControlCall) => Promise<unknown>,
): void {
  const [method, path] = route.split(' ') as [string, string]
  app.on(method, `/projects/:key${path}`, async (c: Context<AppEnv>) => {
    const all = await services()
    const project = await findProject(all, c.req.param('key') ?? '')
    const value = await handle({
      c,
      services: all,
      project,
      param: (name) => c.req.param(name) ?? '',
      query: c.req.query(),
      read: (schema) => readJson(c.req.raw, schema),
      ...scopesOf(all.database, project.id),
      locked: (work) => scopedAndLocked(all.database, project, work),
    })
    if (value instanceof Response) return value
    return value === undefined ? c.body(null, 204) : exactJson(value)
  })
}

/** Adds a route that removes a row by its id, such as `DELETE /tools/:id`. */
export const onRemove = (
  control: Control,
  path: `/${string}`,
  noun: string,
  remove: (tables: Tables, id: string) => PromiseLike<{ readonly rowCount: number | null }>,
): void =>
  onProject(control, `DELETE ${path}/:id`, async ({ param, transaction }) => {
    const { rowCount } = await transaction(async (tables) => remove(tables, param('id')))
    requireFound(rowCount === 1, noun)
  })

const exactJson = (value: unknown): Response =>
  new Response(printExactJson(value), { headers: { 'content-type': 'application/json' } })

/** Creates the response to a request that created a resource, or started a job (202). */
export const created = (value: unknown, status: 201 | 202 = 201): Response =>
  Response.json(value, { status })

export const httpError = (status: 400 | 403 | 404 | 409 | 502, message: string): HTTPException =>
  new HTTPException(status, { message })

/** Responds with 404 if a resource does not exist. @throws HTTPException */
export function requireFound(isFound: boolean, noun: string): void {
  if (!isFound) throw httpError(404, `There is no such ${noun}.`)
}

/** Rejects a change of what the client has not seen. @throws HTTPException 409 */
export function requireUnchanged(current: unknown, expected: unknown, noun = 'drafts'): void {
  if (expected === undefined || isDeepStrictEqual(current, expected)) return
  throw httpError(409, `The ${noun} has changed. Read the current state before you continue.`)
}

/** Returns the project with a key. @throws HTTPException 404 */
export async function findProject({ projects }: Services, key: string): Promise<Project> {
  const project = await projects.find(key)
  if (!project) throw httpError(404, `There is no project ${key}.`)
  return project
}

/** Reads and validates the JSON body of a request. @throws HTTPException 400 */
export async function readJson<S extends z.ZodType>(
  request: Request,
  schema: S,
  { maxBytes, parse }: { readonly maxBytes?: number; readonly parse?: typeof parseExactJson } = {},
): Promise<z.infer<S>> {
  const text = await readText(request, maxBytes)
  const value = parseJson(text, parse)
  const parsed = schema.safeParse(value)
  // A schema may allow that there is no body.
  const isOmitted = text === '' && parsed.success
  if (value === undefined && !isOmitted) throw httpError(400, 'The body is not JSON.')
  if (parsed.success) return parsed.data
  throw httpError(400, z.prettifyError(parsed.error))
}

/** Parses an integer parameter; higher values count as `max`. @throws HTTPException 400 */
export function parseInteger(text: string | undefined, fallback: number, max?: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return Math.min(value, max ?? value)
  throw httpError(400, `A parameter must be an integer of at least 0 (received "${text}").`)
}

/** Reads a flag of the query, which is false by default. @throws HTTPException 400 */
export function readFlag({ query }: Pick<ReadCall, 'query'>, name: string): boolean {
  const text = query[name] ?? 'false'
  if (text === 'true' || text === 'false') return text === 'true'
  throw httpError(400, `${name} must be true or false (received "${text}").`)
}
