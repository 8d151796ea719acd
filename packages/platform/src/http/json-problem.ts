import { stringProblem } from '@servicekit/core'

/** Maximum nesting of values. Code that walks them is recursive. */
const maxDepth = 200

/** Returns the first problem in any string of a JSON value, with the path to it. */
export function jsonProblem(value: unknown, path = '', depth = 0): string | undefined {
  if (depth > maxDepth) return `the value nests deeper than ${maxDepth} levels`
  if (typeof value === 'string') {
    const problem = stringProblem(value)
    return problem && `${path || 'the value'} ${problem}`
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const memberPath = path ? `${path}.${name}` : name
    const nameProblem = stringProblem(name)
    if (nameProblem) return `the name ${JSON.stringify(memberPath)} ${nameProblem}`
    const problem = jsonProblem(member, memberPath, depth + 1)
    if (problem) return problem
  }
  return undefined
}
