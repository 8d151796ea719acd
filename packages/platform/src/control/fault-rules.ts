import { escapePattern } from '@servicekit/core'
import { z } from 'zod'

/** Fault injection rule, as accepted by the control route. */
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
  emptyBody: z.boolean().optional(),
  bytesPerSecond: z.int().min(1).describe('Sends the body at this rate').optional(),
  drop: z
    .union([z.boolean(), z.enum(['before', 'after'])])
    .describe('Closes the connection without a response, before or after the operation')
    .optional(),
  budget: z
    .strictObject({ requests: z.int().min(0), windowMs: z.int().min(1) })
    .describe('Requests per time window without a fault; others get the status, by default 429')
    .optional(),
  times: z
    .int()
    .min(1)
    .describe('Number of requests to apply the rule to; all by default')
    .optional(),
})
export type FaultRule = z.infer<typeof FaultRule>

/** Active fault injection rule. */
export interface Fault extends FaultRule {
  readonly id: string
}

/** Active fault injection rules of this process, in the order in which they were added. */
export interface Faults {
  readonly add: (rule: FaultRule) => Fault
  readonly list: () => readonly Fault[]
  /** Removes one rule, or all rules if there is no id. */
  readonly remove: (id?: string) => boolean
  /** Returns the first rule that applies to a request. Removes a rule after its last use. */
  readonly take: (method: string, url: URL) => Fault | undefined
}

const createRule = (fault: Fault, now: () => Date) => ({
  fault,
  /** Number of requests that the rule still applies to. */
  left: fault.times ?? Infinity,
  matches: createMatcher(fault),
  /** Counts a matching request. Returns true if it is within the budget. */
  isWithinBudget: fault.budget ? createBudget(fault.budget, now) : () => false,
})

export function createFaults(now: () => Date): Faults {
  let rules: ReturnType<typeof createRule>[] = []
  let count = 0
  return {
    add: (rule) => {
      const fault = { ...rule, id: String(++count) }
      rules.push(createRule(fault, now))
      return fault
    },
    list: () =>
      rules.map(({ fault, left }) => (left === Infinity ? fault : { ...fault, times: left })),
    remove: (id) => {
      const before = rules.length
      rules = id === undefined ? [] : rules.filter(({ fault }) => fault.id !== id)
      return rules.length < before
    },
    take: (method, url) => {
      const rule = rules.find((one) => one.matches(method, url) && !one.isWithinBudget())
      if (rule && --rule.left === 0) rules = rules.filter((other) => other !== rule)
      return rule?.fault
    },
  }
}

/** Creates a fixed-window counter. A window begins with its first request. */
function createBudget(
  { requests, windowMs }: NonNullable<FaultRule['budget']>,
  now: () => Date,
): () => boolean {
  let end = 0
  let count = 0
  return () => {
    const time = now().getTime()
    if (time >= end) {
      end = time + windowMs
      count = 0
    }
    return ++count <= requests
  }
}

function createMatcher({ method, path = '*' }: FaultRule) {
  const pattern = new RegExp(`^${path.split('*').map(escapePattern).join('.*')}$`, 's')
  return (actual: string, { pathname, search }: URL): boolean =>
    (method === undefined || method.toUpperCase() === actual) &&
    pattern.test(path.includes('?') ? pathname + search : pathname)
}
