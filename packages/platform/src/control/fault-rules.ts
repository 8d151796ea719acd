import type { process as contract } from '@servicekit/contract/control'
import { escapePattern } from '@servicekit/core'

export type Fault = contract.Fault
export type FaultRule = contract.FaultRule

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
