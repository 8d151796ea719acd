import { type Operation, operations } from '@servicekit/contract'
import { allCases } from './all-cases.ts'
import { type Documented, documentedAnswers } from './documented.ts'
import { failures } from './failures.ts'
import { handlerOf } from './handlers.ts'
import type { OperationCase } from './operation-case.ts'

/**
 * Returns the cases that test a documented response; a case with an undocumented code
 * counts for its status.
 */
export function casesFor(id: string, { status, code }: Documented): readonly OperationCase[] {
  return (allCases[id] ?? []).filter(
    (one) => one.status === status && (code === undefined || one.code === code),
  )
}

const head = `# Operations

Lists every operation of \`@servicekit/contract\` with its handler, its documented responses and the test cases of each response. \`test/operations.test.ts\` runs the cases and compares this file with them; \`npx vitest run packages/platform/test/operations.test.ts -u\` updates it.
`

/** Returns the table of all operations as Markdown that the formatter does not change. */
export function operationTable(): string {
  const sections = [...new Set(operations.map(({ section }) => section))]
  const tables = sections.map((section) => {
    const list = operations.filter((operation) => operation.section === section)
    const rows = list.flatMap((operation) => rowsOf(operation))
    return `## Section ${section}\n\n${table(['operation', 'response', 'description', 'tested'], rows)}`
  })
  const handlers = operations.map(({ route, section, extension }) => [
    code(route.id),
    code(`${route.method} ${route.path}`),
    extension ? 'extension' : section,
    code(handlerOf(route.id) ?? 'none'),
  ])
  const routes = table(['operation', 'route', 'section', 'handler'], handlers)
  const situations = failures.map(({ situation, answers }) => [
    situation,
    answers.map(([id, status]) => `${code(id)} ${status}`).join(', '),
  ])
  const failed = `## Section 7\n\n${table(['situation', 'responses'], situations)}`
  return [head, `## Handlers\n\n${routes}`, ...tables, failed].join('\n')
}

const code = (text: string): string => `\`${text}\``

function rowsOf(operation: Operation): readonly (readonly string[])[] {
  const { id } = operation.route
  return documentedAnswers(operation).map((answer) => [
    code(id),
    `${answer.status}${answer.code ? ` ${code(answer.code)}` : ''}`,
    answer.description,
    casesFor(id, answer)
      .map(({ when }) => when)
      .join('; ') || 'MISSING',
  ])
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = names.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]!.length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return `${[line(names), rule, ...rows.map(line)].join('\n')}\n`
}
