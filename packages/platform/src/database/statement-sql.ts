import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from './statement.ts'

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
