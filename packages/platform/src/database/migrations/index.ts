import { createHash } from 'node:crypto'
import { initial } from './0001-initial.ts'
import { teamwork } from './0002-teamwork.ts'
import { questionWords } from './0003-question-words.ts'
import { signIn } from './0004-sign-in.ts'
import { tenantKeys } from './0005-tenant-keys.ts'
import { neededReviews } from './0006-needed-reviews.ts'
import { commentChanges } from './0007-comment-changes.ts'
import { former, formerUpgrade } from './former.ts'

/** Database migration. A released migration is never edited. */
export interface Migration {
  /** Id such as `0001-initial`. */
  readonly id: string
  /** Statements, run in one transaction. */
  readonly sql: string
  /** Migrations that it replaces, and the statements that follow them instead of `sql`. */
  readonly replaces?: {
    /** Hashes by id. */
    readonly hashes: ReadonlyMap<string, string>
    readonly sql: string
  }
}

/** All migrations, in the order in which they are applied. */
export const migrations: readonly Migration[] = [
  { id: '0001-initial', sql: initial, replaces: { hashes: former, sql: formerUpgrade } },
  { id: '0002-teamwork', sql: teamwork },
  { id: '0003-question-words', sql: questionWords },
  { id: '0004-sign-in', sql: signIn },
  { id: '0005-tenant-keys', sql: tenantKeys },
  { id: '0006-needed-reviews', sql: neededReviews },
  { id: '0007-comment-changes', sql: commentChanges },
]

export const hashOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex')
