import type { Project } from '@servicekit/catalog'
import { formatCount } from '@servicekit/core'
import { isKnownError } from '../exit-codes.ts'
import type { Finding } from './finding.ts'

/**
 * Checks that the committed translations are complete, and those of the service if it can be
 * reached; or the folder that is the source of truth.
 */
export async function checkSnapshot(
  project: Project,
  { isReachable, signal }: { readonly isReachable: boolean; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  const { lockFile, snapshotDir } = project.options
  try {
    await project.load()
  } catch (error) {
    if (!isKnownError(error)) throw error
    if (project.options.from) {
      const [problem = '', ...details] = error.message.split('\n')
      return [
        {
          code: 'FOLDER_INVALID',
          problem,
          where: details[0]?.trim() || project.options.from.folder,
          fix: error.help ?? 'Correct the files, or the option from.',
        },
      ]
    }
    if (error.code === 'SNAPSHOT_MISSING') {
      return [
        {
          code: 'SNAPSHOT_MISSING',
          problem: 'The translations were never fetched',
          where: lockFile,
          fix: 'Run "servicekit pull" and commit the files.',
        },
      ]
    }
    return [
      {
        code: 'SNAPSHOT_CHANGED',
        problem: error.message.split('\n', 1)[0]!,
        where: snapshotDir,
        fix: error.help ?? 'Run "servicekit pull" and commit the files.',
      },
    ]
  }
  if (!isReachable) return []
  const drift = await project.compare({ signal })
  if (drift.length === 0) return []
  return [
    {
      code: 'SNAPSHOT_STALE',
      problem: `The service has ${formatCount(drift.length, 'change')} that the committed translations lack`,
      where: snapshotDir,
      fix: 'Run "servicekit pull" and commit the files.',
    },
  ]
}
