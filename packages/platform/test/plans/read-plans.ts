import { Client } from 'pg'
import { vi } from 'vitest'

/** Node of a plan, as `explain (analyze, buffers, format json)` prints it. */
export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Statement that was executed, with its plan. */
export interface ExplainedStatement {
  readonly 'Query Text': string
  readonly Plan: PlanNode
}

/** Settings of auto_explain, which reports the plan of each statement as a notice of its session. */
const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  // Statements of functions and triggers.
  'auto_explain.log_nested_statements': 'on',
}

/** Makes the database report the plans of new sessions, in whatever role their statements run. */
export async function enablePlans(databaseUrl: string): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  const name = new URL(databaseUrl).pathname.slice(1)
  for (const [setting, value] of Object.entries(settings)) {
    await client.query(`alter database ${name} set ${setting} = '${value}'`)
  }
  await client.end()
}

/**
 * Returns a function that calls `onPlan` for each statement of the clients of this process. Call it
 * before each test, because vitest restores mocks.
 */
export function planWatcher(onPlan: (statement: ExplainedStatement) => void): () => void {
  const watched = new WeakSet<Client>()
  return () => {
    const { query } = Client.prototype
    vi.spyOn(Client.prototype, 'query').mockImplementation(function (
      this: Client,
      ...given: unknown[]
    ) {
      if (!watched.has(this)) {
        watched.add(this)
        this.on('notice', ({ message }) => {
          const plan = /plan:\n([^]+)/.exec(message ?? '')
          if (plan) onPlan(JSON.parse(plan[1]!) as ExplainedStatement)
        })
      }
      return (query as (...parameters: unknown[]) => unknown).apply(this, given)
    } as typeof query)
  }
}
