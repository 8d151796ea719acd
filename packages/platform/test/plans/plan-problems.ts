import { isDeep } from '@servicekit/testing/is-deep'
import type { ExplainedStatement, PlanNode } from './read-plans.ts'

/*
 * Rows and blocks that a statement may read for each row that it returns, counts or changes. In the
 * large version, a key has translations in ten languages.
 */
const maxRatio = isDeep ? 100 : 20
const maxBlocks = isDeep ? 150 : 100
/** Pairs of rows that joins may compare in vain for each of these rows; a project has 100 modules. */
const maxPairs = 200
/** Statement that reads less than this cannot be slow, whatever it returns. */
const minRows = 200
const minBlocks = 1000

/** Tables with a fixed number of rows. */
const constant: ReadonlySet<string> = new Set(['heartbeats', 'migrations'])

const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
]

const rowsRead = (node: PlanNode): number =>
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops']

/** Returns the pairs of rows that a join compared in vain, also of lists that are in no table. */
const pairsNotJoined = (node: PlanNode): number =>
  (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops']

/** Returns the rows of a result. An aggregate counts as the rows that it aggregates. */
function rowsReturned(node: PlanNode): number {
  const isModified = node['Node Type'] === 'ModifyTable'
  if (!isModified && node['Node Type'] !== 'Aggregate') return node['Actual Rows']
  return Math.max(node['Actual Rows'], ...(node.Plans ?? []).map(rowsReturned))
}

/**
 * Returns what makes the plan of a statement slow on a large database.
 *
 * @param changes number of messages that the request changes; the statement may read many rows for
 * these, whatever it returns, and whole tables.
 */
export function planProblems({ Plan: plan }: ExplainedStatement, changes = 0): readonly string[] {
  const scans = nodesOf(plan).filter((node) => node['Relation Name'] !== undefined)
  const sequential = scans
    .filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0)
    .map((node) => node['Relation Name']!)
    // In the large version, one project has all rows of a table.
    .filter((name) => !isDeep && changes === 0 && !constant.has(name))
  const read = scans.reduce((sum, node) => sum + rowsRead(node), 0)
  const pairs = nodesOf(plan).reduce((sum, node) => sum + pairsNotJoined(node), 0)
  const returned = Math.max(changes, rowsReturned(plan))
  const blocks = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  return [
    ...sequential.map((name) => `sequential scan of ${name}`),
    ...(read > minRows && read > maxRatio * returned
      ? [`reads ${Math.round(read)} rows for ${Math.round(returned)}`]
      : []),
    ...(pairs > minRows && pairs > maxPairs * returned
      ? [`compares ${Math.round(pairs)} pairs of rows for ${Math.round(returned)}`]
      : []),
    ...(blocks > minBlocks && blocks > maxBlocks * returned
      ? [`reads ${blocks} blocks for ${Math.round(returned)} rows`]
      : []),
  ]
}
