import type { Services } from '../services.ts'
import { type LoadedProject, loadProject, readPrepared } from './load-project.ts'
import { parseProject } from './parse-project.ts'

/**
 * Loads a project from one JSON value, such as an export. The project becomes equal to it;
 * rows of a kind that is not included stay. The bytes of its files are sent afterwards.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function importProject(
  services: Services,
  value: Readonly<Record<string, unknown>>,
): Promise<LoadedProject> {
  const source = parseProject(value)
  const loaded = await loadProject(services, await readPrepared(source))
  const { stored_files: _, ...rows } = source.extras?.rows ?? {}
  // A reset removes the bytes of files, which this value could not restore.
  services.sources.set(source.key, {
    ...source,
    ...(source.extras ? { extras: { ...source.extras, rows } } : {}),
  })
  return loaded
}
