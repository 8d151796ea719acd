import type { Project } from '../project/project.ts'
import type { KeyRename } from '../config/key-writer.ts'
import { withEntry } from '../snapshot/key-file.ts'
import { editLocalKeys } from './local-keys.ts'
import { localPathsOf } from '../snapshot/local-paths.ts'

/**
 * Renames keys in the snapshot and its types, with their details. The translations of the former
 * keys are used until the source serves the new ones. Running it again changes nothing.
 *
 * @throws ServicekitError SNAPSHOT_MISSING, SNAPSHOT_DRIFT, SNAPSHOT_INVALID, EMIT_FAILED
 */
export async function renameLocally(
  project: Project,
  renames: readonly KeyRename[],
): Promise<void> {
  if (project.folder) {
    // The writer has renamed them in the files.
    await project.writeTypes(await project.load())
    return
  }
  await editLocalKeys(localPathsOf(project.options), ({ entries, lock, read }) => {
    let result = entries
    for (const { module, from, to } of renames) {
      const codes = Object.keys(lock.languages)
      const files = codes.map((code) => read(code, module))
      const { renamedFrom = from, ...details } = result.get(module)?.get(from) ?? {}
      const isKnown = result.get(module)?.has(from) || files.some((file) => file.has(from))
      if (!isKnown) continue
      result = withEntry(result, module, from, undefined)
      // A key that is renamed back is served under that name.
      const pending = renamedFrom === to ? {} : { renamedFrom }
      // An interrupted run may have written the new entry.
      const written = result.get(module)?.get(to)
      result = withEntry(result, module, to, { ...details, ...pending, ...written })
    }
    return { entries: result, renames }
  })
  await project.writeTypes(await project.load())
}
