import { z } from 'zod'

/** Fault injection rule, as accepted by the control route. */
export const FaultRule = z.strictObject({
  method: z.string().optional(),
  path: z
    .string()
    .describe('Path, in which * stands for any text; with ? the query too')
    .optional(),
  status: z.int().min(200).max(599).describe('Answered in place of the operation').optional(),
  delayMs: z.int().min(0).max(600_000).optional(),
  retryAfter: z.union([z.int().min(0), z.string()]).optional(),
  truncateAfter: z.int().min(0).describe('Bytes of the body that are sent').optional(),
  emptyBody: z.boolean().optional(),
  bytesPerSecond: z.int().min(1).describe('Sends the body slowly').optional(),
  drop: z
    .union([z.boolean(), z.enum(['before', 'after'])])
    .describe('Closes the connection without an answer: before anything is done, or after it')
    .optional(),
  budget: z
    .strictObject({ requests: z.int().min(0), windowMs: z.int().min(1) })
    .describe('Requests that pass in each window of time; the rest get the status, 429 by default')
    .optional(),
  times: z.int().min(1).describe('Answers that are spoilt; all by default').optional(),
})
export type FaultRule = z.infer<typeof FaultRule>

/** Active fault rule. */
export interface Fault extends FaultRule {
  readonly id: string
}

/** Active fault rules of this process, in the order in which they were added. */
export interface Faults {
  readonly add: (rule: FaultRule) => Fault
  readonly list: () => readonly Fault[]
  readonly isEmpty: () => boolean
  /** Removes one rule, or all of them without an id. */
  readonly remove: (id?: string) => boolean
  /** Returns the first rule that applies to a request. Removes a rule once it is used up. */
  readonly take: (method: string, url: URL) => Fault | undefined
}

/**
 * Creates an empty set of rules.
 *
 * @param now clock for the windows of budgets.
 */
export function faults(now: () => Date): Faults {
  let rules: Rule[] = []
  let count = 0
  return {
    add: (rule) => {
      const fault = { ...rule, id: String(++count) }
      const passes = rule.budget ? budgetOf(rule.budget, now) : () => false
      rules.push({ ...fault, left: rule.times ?? Infinity, matches: matcherOf(rule), passes })
      return fault
    },
    list: () => rules.map((rule) => shownOf(rule)),
    isEmpty: () => rules.length === 0,
    remove: (id) => {
      const before = rules.length
      rules = id === undefined ? [] : rules.filter((rule) => rule.id !== id)
      return rules.length < before
    },
    take: (method, url) => {
      const rule = rules.find(({ matches, passes }) => matches(method, url) && !passes())
      if (rule && --rule.left === 0) rules = rules.filter((other) => other !== rule)
      return rule
    },
  }
}

const shownOf = ({ left, matches: _, passes: _passes, ...rule }: Rule): Fault =>
  left === Infinity ? rule : { ...rule, times: left }

interface Rule extends Fault {
  left: number
  readonly matches: (method: string, url: URL) => boolean
  /**
   * Counts a matching request; returns true if it is within the budget and therefore
   * passes.
   */
  readonly passes: () => boolean
}

/** Creates a fixed-window counter. A window begins with its first request. */
function budgetOf(
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

function matcherOf({ method, path }: FaultRule): (method: string, url: URL) => boolean {
  const pattern =
    path === undefined
      ? undefined
      : new RegExp(`^${path.split('*').map(escapePattern).join('.*')}$`, 's')
  const hasQuery = path?.includes('?') ?? false
  return (actual, { pathname, search }) =>
    (method === undefined || method.toUpperCase() === actual) &&
    (pattern === undefined || pattern.test(hasQuery ? pathname + search : pathname))
}

const escapePattern = (text: string): string => text.replaceAll(/[$()+.?[\\\]^{|}]/g, '\\$&')
