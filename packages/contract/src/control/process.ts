import { z } from 'zod'
import { access } from '../operation.ts'
import { defineControl } from './define.ts'
import { type DeepReadonly, instant, integer, time } from './values.ts'

/** Completed request. Contains no headers, no bodies and no secrets from its URL. */
export const LoggedRequest = z.object({
  requestId: z.string(),
  at: time,
  method: z.string(),
  path: z.string().describe('Path and query, with secrets redacted'),
  operation: z.string().describe('Operation id; `control` or `other` if there is none'),
  project: z.string().nullable().describe('Project key of the request header'),
  tab: z.string().optional().describe('Id of the browser tab; only from pages in development'),
  status: z.int().describe('0 if the connection was dropped'),
  durationMs: z.number(),
})
export type LoggedRequest = DeepReadonly<z.infer<typeof LoggedRequest>>

export const listRequests = defineControl('process.listRequests', 'GET /requests', {
  summary: 'List the last requests, the newest first',
  description: 'Without headers, bodies and secrets in addresses.',
  access: access.operator,
  query: z.object({ limit: integer(0, 50, 500), project: z.string().optional() }),
  result: z.array(LoggedRequest),
})

export const clearRequests = defineControl('process.clearRequests', 'DELETE /requests', {
  summary: 'Clear the list of requests',
  access: access.operator,
})

export const readMetrics = defineControl('process.readMetrics', 'GET /metrics', {
  summary: 'Prometheus metrics: counts and durations by operation, jobs and memory',
  access: access.operator,
  result: z.string(),
  mediaType: 'text/plain',
})

export const Clock = z.object({ now: time, isFrozen: z.boolean() })
export type Clock = DeepReadonly<z.infer<typeof Clock>>

export const readClock = defineControl('process.readClock', 'GET /clock', {
  summary: 'Read the clock of the platform',
  access: access.operator,
  result: Clock,
})

export const advanceClock = defineControl('process.advanceClock', 'POST /clock', {
  summary: 'Advance the clock, and run the jobs that become due',
  access: access.operator,
  body: z.union([z.strictObject({ advanceMs: z.int().min(0) }), z.strictObject({ now: instant })]),
  result: Clock,
})

export const countJobs = defineControl('process.countJobs', 'GET /queue', {
  summary: 'Count the jobs in the queue',
  access: access.operator,
  result: z.object({ all: z.int(), due: z.int() }),
})

export const drainQueue = defineControl('process.drainQueue', 'POST /queue/drain', {
  summary: 'Respond when no job is due',
  access: access.operator,
})

/** Fault injection rule. */
export const FaultRule = z.strictObject({
  method: z.string().optional(),
  path: z
    .string()
    .describe('Path; * matches any text. Includes the query string if it contains a ?')
    .optional(),
  status: z.int().min(200).max(599).describe('Status to respond with').optional(),
  delayMs: z.int().min(0).max(600_000).optional(),
  retryAfter: z.union([z.int().min(0), z.string()]).optional(),
  truncateAfter: z.int().min(0).describe('Number of bytes of the body to send').optional(),
  bytesPerSecond: z.int().min(1).describe('Sends the body at this rate').optional(),
  tab: z
    .string()
    .describe('Only requests of this browser tab, as the request log names it')
    .optional(),
  drop: z
    .union([z.boolean(), z.enum(['before', 'after'])])
    .describe('Closes the connection without a response, before or after the operation')
    .optional(),
  times: z
    .int()
    .min(1)
    .describe('Number of requests to apply the rule to; all by default')
    .optional(),
})
export type FaultRule = z.infer<typeof FaultRule>

/** Active fault injection rule. */
export const Fault = FaultRule.extend({ id: z.string() })
export type Fault = DeepReadonly<z.infer<typeof Fault>>

export const listFaults = defineControl('process.listFaults', 'GET /faults', {
  summary: 'List the fault injection rules of this process',
  access: access.operator,
  result: z.array(Fault),
})

export const addFault = defineControl('process.addFault', 'POST /faults', {
  summary: 'Add a fault injection rule',
  access: access.operator,
  body: FaultRule,
  result: Fault,
  status: 201,
})

export const removeFaults = defineControl('process.removeFaults', 'DELETE /faults', {
  summary: 'Remove all fault injection rules',
  access: access.operator,
})

export const removeFault = defineControl('process.removeFault', 'DELETE /faults/{id}', {
  summary: 'Remove a fault injection rule',
  access: access.operator,
  errors: { 404: 'there is no such rule' },
})

/** Entry of the audit log: who changed which records, when and how. */
export const AuditEntry = z.object({
  id: z.string(),
  at: time,
  instance: z.string().nullable(),
  requestId: z.string().nullable(),
  actor: z.string(),
  operation: z.string(),
  project: z.string().nullable(),
  action: z.string(),
  kind: z.string(),
  records: z.array(z.string()),
  total: z.number(),
})
export type AuditEntry = DeepReadonly<z.infer<typeof AuditEntry>>

export const listAudit = defineControl('audit.list', 'GET /audit', {
  summary: 'List the audit log, the oldest entry first',
  description: 'Entries from `since` on, or those that follow the entry `after` of that time.',
  access: access.operator,
  query: z.strictObject({
    since: instant.default('1970-01-01T00:00:00Z'),
    after: z.uuid().default('00000000-0000-0000-0000-000000000000'),
    until: instant.default('9999-12-31T00:00:00Z'),
    project: z.string().optional(),
    limit: z.coerce.number<number | string>().int().min(1).max(1000).default(1000),
  }),
  result: z.array(AuditEntry),
})
