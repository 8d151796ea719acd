import type { Services } from '../services.ts'
import { filesOf } from '../storage/remove-files.ts'
import type { Project } from './project-directory.ts'
import { removeProject } from './remove-project.ts'

/**
 * Removes a project with the bytes of its files, wherever they are. A storage
 * that cannot be reached keeps nobody from it: `onFault` hears what is left there.
 */
export async function dropProject(services: Services, project: Project): Promise<void> {
  const removeFiles = await filesOf(services, project)
  await removeProject(services.database, project)
  await removeFiles()
}
