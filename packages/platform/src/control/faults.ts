import { z } from 'zod'

/** A rule that spoils answers, as the control route takes it. */
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
  drop: z.boolean().describe('Closes the connection without an answer').optional(),
  times: z.int().min(1).describe('Answers that are spoilt; all by default').optional(),
})
export type FaultRule = z.infer<typeof FaultRule>

/** A rule that is in force. */
export interface Fault extends FaultRule {
  readonly id: string
}

/** The rules in force, in the order in which they were made. */
export interface Faults {
  readonly add: (rule: FaultRule) => Fault
  readonly list: () => readonly Fault[]
  /** Removes one rule, or all of them. */
  readonly remove: (id?: string) => boolean
  /** The first rule that a request meets; a rule that is used up goes. */
  readonly take: (method: string, url: URL) => Fault | undefined
}

/** An empty set of rules. */
export function faults(): Faults {
  let rules: (Fault & { left: number; matches: (method: string, url: URL) => boolean })[] = []
  let count = 0
  return {
    add: (rule) => {
      const fault = { ...rule, id: String(++count) }
      rules.push({ ...fault, left: rule.times ?? Infinity, matches: matcherOf(rule) })
      return fault
    },
    list: () =>
      rules.map(({ left, matches: _, ...rule }) =>
        left === Infinity ? rule : { ...rule, times: left },
      ),
    remove: (id) => {
      const before = rules.length
      rules = id === undefined ? [] : rules.filter((rule) => rule.id !== id)
      return rules.length < before
    },
    take: (method, url) => {
      const rule = rules.find(({ matches }) => matches(method, url))
      if (rule && --rule.left === 0) rules = rules.filter((other) => other !== rule)
      return rule
    },
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
