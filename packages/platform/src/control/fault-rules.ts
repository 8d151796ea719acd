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
export interface Fault extends FaultRule {
  readonly id: string
}

/** Active fault injection rules of this process. */
export type Faults = ReturnType<typeof createFaults>

const createRule = (fault: Fault) => ({
  fault,
  /** Number of requests that the rule still applies to. */
  left: fault.times ?? Infinity,
  matches: createMatcher(fault),
})

/** Creates the list of active fault injection rules, in the order in which they are added. */
export function createFaults() {
  let rules: ReturnType<typeof createRule>[] = []
  let count = 0
  return {
    add: (rule: FaultRule): Fault => {
      const fault = { ...rule, id: String(++count) }
      rules.push(createRule(fault))
      return fault
    },
    list: (): readonly Fault[] =>
      rules.map(({ fault, left }) => (left === Infinity ? fault : { ...fault, times: left })),
    /** Removes one rule, or all rules if there is no id. Returns true if there were any. */
    remove: (id?: string): boolean => {
      const before = rules.length
      rules = id === undefined ? [] : rules.filter(({ fault }) => fault.id !== id)
      return rules.length < before
    },
    /** Returns the first rule that applies to a request. Removes a rule after its last use. */
    take: (method: string, url: URL, tab?: string): Fault | undefined => {
      const rule = rules.find((one) => one.matches(method, url, tab))
      if (rule && --rule.left === 0) rules = rules.filter((other) => other !== rule)
      return rule?.fault
    },
  }
}

function createMatcher({ method, path = '*', tab }: FaultRule) {
  const pattern = new RegExp(`^${path.split('*').map(escapePattern).join('.*')}$`, 's')
  return (actual: string, { pathname, search }: URL, sender?: string): boolean =>
    (tab === undefined || tab === sender) &&
    (method === undefined || method.toUpperCase() === actual) &&
    pattern.test(path.includes('?') ? pathname + search : pathname)
}
