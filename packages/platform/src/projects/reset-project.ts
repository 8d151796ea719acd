import type { Services } from '../services.ts'
import { dropProject } from './drop-project.ts'
import { type LoadedProject, loadProject, readPrepared } from './load-project.ts'
import type { Project } from './project-directory.ts'

/**
 * Makes a project what it was loaded as: from its folder as that is now, or as
 * the program gave it. Everything that came to it since then goes.
 *
 * @returns undefined when it was not loaded since the start of this process.
 */
export async function resetProject(
  services: Services,
  project: Project,
): Promise<LoadedProject | undefined> {
  const source = services.sources.get(project.key)
  if (source === undefined) return undefined
  // Read first: a folder with a fault leaves the project as it is.
  const prepared = await readPrepared(source)
  await dropProject(services, project)
  return loadProject(services, prepared)
}
