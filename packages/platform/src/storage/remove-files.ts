import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import type { FileRow } from './files.ts'
import { objectOf } from './operations.ts'
import { storedFiles } from './tables.ts'

/** Concurrent removals of objects. */
const atOnce = 8

/**
 * Finds the files of a project and returns a function that removes their bytes. By the time
 * it is called, their records are gone.
 */
export async function filesOf(services: Services, project: Project): Promise<() => Promise<void>> {
  const storage = services.storage
  const isForeign = storage.configurations.some(({ strategy }) => strategy !== 'Local')
  const rows = isForeign
    ? await services.database.scoped(project.id, (tables) => tables.select().from(storedFiles), {
        isReadOnly: true,
      })
    : []
  return async () => {
    await storage.removeProject(project.key)
    const faults = (await Promise.all(shares(rows).map((share) => removeAll(share)))).flat()
    const [first] = faults
    if (first === undefined) return
    const text = `${faults.length} files of the project ${project.key} were not removed: `
    services.options.onError(new Error(text + first.message, { cause: first }))
  }

  async function removeAll(share: readonly FileRow[]): Promise<readonly Error[]> {
    const faults: Error[] = []
    for (const row of share) {
      try {
        const backend = await storage.backend(row.configurationName)
        if (backend?.strategy !== 'Local') await backend?.remove(objectOf(project, row))
      } catch (error) {
        faults.push(error as Error)
      }
    }
    return faults
  }
}

/** Distributes the rows among the concurrent workers. */
const shares = (rows: readonly FileRow[]): readonly (readonly FileRow[])[] =>
  Array.from({ length: Math.min(atOnce, rows.length) }, (_, share) =>
    rows.filter((_row, index) => index % atOnce === share),
  )
