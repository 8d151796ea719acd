import type { Services } from '../services.ts'
import { filesOf } from '../storage/remove-files.ts'
import type { Project } from './project-directory.ts'
import { removeProject } from './remove-project.ts'

/**
 * Removes a project with the bytes of its files in every storage. An unreachable storage
 * does not prevent the removal: `onError` receives an error for the files that remain.
 */
export async function dropProject(services: Services, project: Project): Promise<void> {
  const removeFiles = await filesOf(services, project)
  await removeProject(services.database, project)
  await removeFiles()
}
