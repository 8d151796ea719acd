import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from './statement.ts'

/** Converts a statement to the form that `Tables` executes, for use within a transaction. */
export const statementSql = ({ text, values }: Statement): SQL =>
  sql.join(
    // Every second piece is a parameter number.
    text
      .split(/\$(\d+)/)
      .map((piece, index) =>
        index % 2 === 0 ? sql.raw(piece) : sql`${sql.param(values[Number(piece) - 1])}`,
      ),
  )
