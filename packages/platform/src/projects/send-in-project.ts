import type { Database } from '../database/database.ts'
import type { Statement, StatementResult } from '../database/statement.ts'

/** Options of a batch that runs in a project's scope. */
export interface SendOptions {
  /** Time limit of one statement in ms; PostgreSQL only. */
  readonly statementTimeoutMs?: number
  /** Runs all statements in one read-only snapshot; false by default. */
  readonly isSnapshot?: boolean
}

const enter = `select set_config('servicekit.project', $1, true)`
const enterTimed = `${enter}, set_config('statement_timeout', $2, true)`

/** Runs statements in a project's scope, in one round trip and one transaction. */
export async function sendInProject(
  database: Database,
  projectId: number,
  statements: readonly Statement[],
  { statementTimeoutMs = 0, isSnapshot = false }: SendOptions = {},
): Promise<readonly StatementResult[]> {
  const isTimed = statementTimeoutMs > 0 && database.engine === 'postgresql'
  const id = String(projectId)
  const first: Statement = isTimed
    ? { text: enterTimed, values: [id, String(Math.round(statementTimeoutMs))] }
    : { text: enter, values: [id] }
  const results = await database.send([first, ...statements], { isSnapshot })
  return results.slice(1)
}
