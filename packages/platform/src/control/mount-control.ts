import type { Operation } from '@servicekit/contract'
import { controlPath } from '@servicekit/contract/control'
import { parseJson } from '@servicekit/core'
import { parseExactJson } from '@servicekit/core/exact-json'
import { readText } from '@servicekit/core/node'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { scopesOf } from '../database/database.ts'
import type { AppEnv } from '../http/app-env.ts'
import { json, noStore } from '../http/responses.ts'
import type { ResolvedOptions } from '../options.ts'
import { scopedAndLocked } from '../database/versions.ts'
import type { Services } from '../services.ts'
import { admitToPlatform, admitToProject, refuseOtherSites } from './admit.ts'
import { httpError } from './control-errors.ts'
import type {
  ControlOptions,
  ProcessCall,
  ImplementedControl,
  WriteCall,
} from './control-operation.ts'
import { jsonProblem } from '../http/json-problem.ts'

/** Returns the path of an operation below `/_platform`, as Hono writes it. */
const pathOf = ({ route }: Operation): string =>
  route.path.slice(controlPath.length).replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * Adds control operations to an application. Who may call one follows from its access rule, and
 * what it accepts from its schemas. The response is the value that the handler returns, as JSON;
 * 204 if the operation has no result.
 */
export function mountControl(
  app: Hono<AppEnv>,
  services: () => Promise<Services>,
  options: ResolvedOptions,
  operations: readonly ImplementedControl[],
): void {
  for (const one of operations) {
    const { operation } = one
    const isAboutProject = 'project' in (operation.path?.shape ?? {})
    app.on(operation.route.method, pathOf(operation), async (c) => {
      refuseOtherSites(c, operation)
      const value = isAboutProject
        ? await callOnProject(c, await services(), one)
        : await callOnPlatform(c, services, options, one)
      return respond(operation, value)
    })
  }
}

const developmentOnly =
  'The server refuses this route, because it is for tests and development only. Start it with --development to allow it.'

async function callOnPlatform(
  c: Context<AppEnv>,
  services: () => Promise<Services>,
  options: ResolvedOptions,
  { operation, options: reading, handle }: ImplementedControl,
): Promise<unknown> {
  admitToPlatform(c, options, operation.access)
  if (reading.isForDevelopment && !options.development) throw httpError(403, developmentOnly)
  return handle({ c, services, ...(await readInput(c, operation, reading)) } as ProcessCall)
}

async function callOnProject(
  c: Context<AppEnv>,
  services: Services,
  { operation, options: reading, handle }: ImplementedControl,
): Promise<unknown> {
  const key = c.req.param('project') ?? ''
  const { project, caller } = await admitToProject(c, services, operation.access, key)
  return handle({
    c,
    services,
    project,
    caller,
    ...(await readInput(c, operation, reading)),
    ...scopesOf(services.database, project.id),
    locked: (work) => scopedAndLocked(services.database, project, work),
  } as WriteCall)
}

/** Reads and validates a request. @throws HTTPException 400 */
async function readInput(
  c: Context<AppEnv>,
  operation: Operation,
  options: ControlOptions,
): Promise<Readonly<Record<'query' | 'path' | 'body', unknown>>> {
  const body =
    operation.body && operation.route.body === 'json'
      ? await readBody(c.req.raw, operation.body, options)
      : undefined
  const input = {
    query: operation.query && validate(operation.query, c.req.query()),
    path: operation.path && validate(operation.path, c.req.param()),
    body,
  }
  // As at the interface: the database would replace such characters or refuse them.
  const problem = jsonProblem(input)
  if (problem) throw httpError(400, `${problem}.`)
  return input
}

function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw httpError(400, z.prettifyError(parsed.error))
}

async function readBody(
  request: Request,
  schema: z.ZodType,
  { maxBytes, isExact }: ControlOptions,
): Promise<unknown> {
  const text = await readText(request, maxBytes)
  // A schema may allow that there is no body.
  if (text === '' && schema.safeParse(undefined).success) return undefined
  const value = parseJson(text, isExact ? parseExactJson : undefined)
  if (value === undefined) throw httpError(400, 'The body is not JSON.')
  return validate(schema, value)
}

function respond({ responses }: Operation, value: unknown): Response {
  if (value instanceof Response) return value
  const status = Object.keys(responses).find((one) => one.startsWith('2'))
  if (status === '204') return noStore(new Response(null, { status: 204 }))
  return noStore(json(value, Number(status)))
}
