import type { Model, OnInvalidFile, Project } from '@servicekit/catalog'
import { createFolderSession } from './folder-session.ts'
import type { SessionChange } from './session-change.ts'
import { createSnapshotSession } from './snapshot-session.ts'

/** Logger of a session. */
export interface Log {
  readonly info: (message: string) => void
  readonly warn: (message: string) => void
}

/**
 * Creates a function that logs errors as warnings, and a repeated one only once, such as
 * while a service is unavailable. After `reset` the same error is logged again.
 */
export function createWarner(log: Log) {
  let last: string | undefined
  return {
    warn(error: unknown): void {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== last) log.warn(message)
      last = message
    },
    reset: (): void => void (last = undefined),
  }
}

/** Translations of one build or development server. */
export interface Session {
  /**
   * Returns the current model.
   *
   * @throws TypeError before {@link Session.start}.
   */
  readonly model: () => Model
  /**
   * Reads the committed translations, or the folder that is the source of truth, and writes the
   * declarations. Pulls only if there are none yet, so that a build has the same result everywhere.
   */
  readonly start: (log: Log) => Promise<void>
  /**
   * Pulls again and reports the changes. Calls during a running pull share the next one.
   *
   * @param moduleId Id of the module that changed, if known. A project may have hundreds
   * of files and a rate limit.
   * @param languages Languages that pages show. Their edits are reported before the pull, which
   * reads and stores the files of all languages.
   */
  readonly refresh: (
    moduleId?: string,
    languages?: readonly string[],
  ) => Promise<SessionChange | undefined>
  /**
   * Reads the snapshot again if its lock file has changed, e.g. after `git pull`, or the files of a
   * folder that is the source of truth.
   *
   * @param onInvalid Called for each file of the folder that is not valid. Its last valid texts stay.
   */
  readonly reload: (onInvalid?: OnInvalidFile) => Promise<SessionChange | undefined>
  /**
   * Calls a function for each change of a refresh or reload. Frameworks start several servers
   * with one plugin: each is notified, whichever of them noticed the change.
   *
   * @returns a function that ends the subscription.
   */
  readonly subscribe: (listener: (change: SessionChange) => void) => () => void
}

/** Creates the session of a project: of the folder that is its source of truth, or its snapshot. */
export const createSession = (project: Project): Session =>
  project.folder ? createFolderSession(project, project.folder) : createSnapshotSession(project)
