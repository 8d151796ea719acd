import { createHash } from 'node:crypto'
import { initial } from './0001-initial.ts'
import { findToken } from './0002-find-token.ts'
import { keyDetails } from './0003-key-details.ts'
import { audit } from './0004-audit.ts'
import { textHistory } from './0005-text-history.ts'
import { attemptDetails } from './0006-attempt-details.ts'
import { uploadJobs } from './0007-upload-jobs.ts'
import { similarTexts } from './0008-similar-texts.ts'
import { queryPlans } from './0009-query-plans.ts'
import { singleStatements } from './0010-single-statements.ts'
import { publishReason } from './0011-publish-reason.ts'
import { extensionSchema } from './0012-extension-schema.ts'
import { translationStates } from './0013-translation-states.ts'

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
  { id: '0008-similar-texts', sql: similarTexts },
  { id: '0009-query-plans', sql: queryPlans },
  { id: '0010-single-statements', sql: singleStatements },
  { id: '0011-publish-reason', sql: publishReason },
  { id: '0012-extension-schema', sql: extensionSchema },
  { id: '0013-translation-states', sql: translationStates },
]

export const hashOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex')
