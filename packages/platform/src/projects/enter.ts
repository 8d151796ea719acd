import type { Database } from '../database/database.ts'
import type { Statement, StatementResult } from '../database/statement.ts'
import { hasStamp, type Project, projectRow } from './project-directory.ts'

/** Raised where a project, or who is let in, is not any more what a request began with. */
export class Outdated extends Error {
  override readonly name = 'Outdated'
}

/** What a batch in a project's scope may take. */
export interface EnterOptions {
  /** Longest time of one statement in ms; PostgreSQL only. */
  readonly statementTimeoutMs?: number
  /** Whether all statements see the same data, and none may write; false by default. */
  readonly isSnapshot?: boolean
}

const enter = `
  select set_config('servicekit.project', p.id::text, true) ${projectRow}
  where p.id = $1::int and ${hasStamp}`

const enterTimed = enter.replace('true)', `true), set_config('statement_timeout', $3, true)`)

/** What row-level security answers to who writes without a scope. */
const isRefused = '42501'

/**
 * Runs statements in the scope of a project, in one round trip and one
 * transaction, if the project still has its stamp. Where it has another one, no
 * scope is entered: nothing is seen, and nothing can be written.
 *
 * @throws Outdated
 */
export async function sendInto(
  database: Database,
  project: Project,
  statements: readonly Statement[],
  { statementTimeoutMs = 0, isSnapshot = false }: EnterOptions = {},
): Promise<readonly StatementResult[]> {
  const isTimed = statementTimeoutMs > 0 && database.engine === 'postgresql'
  const values = [project.id, project.stamp]
  const first: Statement = isTimed
    ? { text: enterTimed, values: [...values, String(Math.round(statementTimeoutMs))] }
    : { text: enter, values }
  let results: readonly StatementResult[]
  try {
    results = await database.send([first, ...statements], { isSnapshot })
  } catch (error) {
    if ((error as { code?: unknown }).code !== isRefused) throw error
    throw new Outdated('The project has changed.', { cause: error })
  }
  if (results[0]!.rows.length === 0) throw new Outdated('The project has changed.')
  return results.slice(1)
}
