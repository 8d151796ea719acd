import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Statement, StatementValue } from './statement.ts'

/** A statement in the form in which `Tables` executes it, for use within a transaction. */
export const statementSql = ({ text, values }: Statement): SQL =>
  sql.join(
    // Every second piece is the number of a value.
    text
      .split(/\$(\d+)/)
      .map((piece, index) =>
        index % 2 === 0 ? sql.raw(piece) : sql`${sql.param(values[Number(piece) - 1])}`,
      ),
  )

const dialect = new PgDialect()

/** A statement that was put together of parts. Parts of the same shape give the same text. */
export function statementOf(parts: SQL): Statement {
  const { sql: text, params } = dialect.sqlToQuery(parts)
  return { text, values: params as StatementValue[] }
}
