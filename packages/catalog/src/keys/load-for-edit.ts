import type { Model } from '../model/model.ts'
import type { Project } from '../project/project.ts'
import { withCompleteKeys } from './local-keys.ts'
import { localPathsOf } from '../snapshot/local-paths.ts'

/**
 * Reads the snapshot before keys are changed, when nothing is written yet. Completes an edit that
 * was interrupted.
 *
 * @throws ServicekitError SNAPSHOT_MISSING, SNAPSHOT_INVALID; SNAPSHOT_DRIFT if the snapshot was
 * edited by hand.
 */
export const loadForEdit = (project: Project): Promise<Model> =>
  project.folder
    ? project.load()
    : withCompleteKeys(localPathsOf(project.options), () => project.load())
