import { createHash } from 'node:crypto'
import { initial } from './0001-initial.ts'
import { findToken } from './0002-find-token.ts'
import { keyDetails } from './0003-key-details.ts'
import { audit } from './0004-audit.ts'
import { textHistory } from './0005-text-history.ts'
import { attemptDetails } from './0006-attempt-details.ts'
import { uploadJobs } from './0007-upload-jobs.ts'

/** Database migration. A released migration is never edited. */
export interface Migration {
  /** Id such as `0001-initial`. */
  readonly id: string
  /** Statements, run in one transaction. */
  readonly sql: string
}

/** All migrations, in the order in which they are applied. */
export const migrations: readonly Migration[] = [
  { id: '0001-initial', sql: initial },
  { id: '0002-find-token', sql: findToken },
  { id: '0003-key-details', sql: keyDetails },
  { id: '0004-audit', sql: audit },
  { id: '0005-text-history', sql: textHistory },
  { id: '0006-attempt-details', sql: attemptDetails },
  { id: '0007-upload-jobs', sql: uploadJobs },
]

export const hashOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex')
