import type { Services } from '../services.ts'
import { dropProject } from './drop-project.ts'
import { type LoadedProject, loadProject, readPrepared } from './load-project.ts'
import type { Project } from './project-directory.ts'

/**
 * Resets a project to its source: the current contents of its folder, or the value that the
 * program gave. All later changes are lost.
 *
 * @returns undefined if the project was not loaded since this process started.
 */
export async function resetProject(
  services: Services,
  project: Project,
): Promise<LoadedProject | undefined> {
  const source = services.sources.get(project.key)
  if (source === undefined) return undefined
  // Read first: an invalid folder must leave the project unchanged.
  const prepared = await readPrepared(source)
  await dropProject(services, project)
  return loadProject(services, prepared)
}
