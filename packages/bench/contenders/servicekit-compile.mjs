import { join } from 'node:path'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'

/**
 * From the committed texts, each checked against the lock file, to JavaScript and
 * declarations on disk.
 *
 * @param {{ root: string, outDir: string }} input
 */
export const prepare =
  ({ root, outDir }) =>
  async () => {
    const project = openProject({ root, frozen: true }, { environment: {} })
    const model = await project.load()
    return writeFiles(emitProgram(model, { outDir: join(outDir), storageKey: 'language' }))
  }
