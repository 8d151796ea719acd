import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { json, toResponse } from '../http/answer.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readText } from '../http/read-text.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'

/** Target to which a group of control routes is added. */
export interface Control {
  readonly app: Hono<AppEnv>
  /** Resolves once the projects are loaded. */
  readonly services: () => Promise<Services>
}

/** Rejected request, with its HTTP status. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Request about one project. */
export interface ProjectCall {
  readonly services: Services
  readonly project: Project
  /** Returns a path parameter. */
  readonly param: (name: string) => string
  readonly query: Readonly<Record<string, string>>
  readonly request: Request
  readonly read: <S extends z.ZodType>(schema: S) => Promise<z.infer<S>>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Adds a route below `/projects/:key`. The return value of the handler is sent as JSON;
 * undefined is sent as 204.
 */
export function onProject(
  { app, services }: Control,
  method: Method,
  path: string,
  handle: (call: ProjectCall) => Promise<unknown>,
  status = 200,
): void {
  app.on(method, `/projects/:key${path}`, async (c: Context<AppEnv>) => {
    const all = await services()
    const value = await handle({
      services: all,
      project: await projectOf(all, c.req.param('key') ?? ''),
      param: (name) => c.req.param(name) ?? '',
      query: c.req.query(),
      request: c.req.raw,
      read: (schema) => readJson(c.req.raw, schema),
    })
    if (value instanceof Response) return value
    return value === undefined ? new Response(null, { status: 204 }) : reply(c, value, status)
  })
}

/** Creates a JSON response. */
export const reply = (c: Context<AppEnv>, value: unknown, status = 200): Response =>
  toResponse(c.req.raw, json(value, status))

/** Returns the project with a key. @throws Refused 404 */
export async function projectOf({ projects }: Services, key: string): Promise<Project> {
  const project = await projects.find(key)
  if (!project) throw new Refused(404, `There is no project ${key}.`)
  return project
}

/** Parses and validates the JSON body of a request. @throws Refused 400 */
export async function readJson<S extends z.ZodType>(
  request: Request,
  schema: S,
  maxBytes?: number,
): Promise<z.infer<S>> {
  const text = await readText(request, maxBytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refused(400, 'The body is not JSON.')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Refused(400, z.prettifyError(parsed.error))
}

/** Parses a number of the query. @throws Refused 400 */
export function numberOf(text: string | undefined, fallback: number, max: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return Math.min(value, max)
  throw new Refused(400, `${text} is not a whole number.`)
}

/** Reads a flag of the query, which is false by default. @throws Refused 400 */
export function booleanOf({ query }: Pick<ProjectCall, 'query'>, name: string): boolean {
  const text = query[name]
  if (text === undefined || text === 'false') return false
  if (text === 'true') return true
  throw new Refused(400, `${name} must be true or false (received ${JSON.stringify(text)})`)
}

/** Returns a result, or throws if it contains a fault. @throws Refused 400 */
export function accepted<T extends object>(result: T | { readonly fault: string }): T {
  if ('fault' in result) throw new Refused(400, result.fault)
  return result
}
