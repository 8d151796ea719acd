import type { Services } from '../services.ts'
import { type LoadedProject, loadProject, readPrepared } from './load-project.ts'
import { parseProject } from './parse-project.ts'

/**
 * Loads a project from one JSON value, as an export is. The project becomes equal
 * to it; rows of a kind that is not named stay. The bytes of its files come after it.
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
  // A reset removes the bytes of files, which are not here to come back.
  services.sources.set(source.key, {
    ...source,
    ...(source.extras ? { extras: { ...source.extras, rows } } : {}),
  })
  return loaded
}
