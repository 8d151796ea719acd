import { join } from 'node:path'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'

/**
 * Compiles the committed translations, each checked against the lockfile, to JavaScript and
 * declarations on disk.
 *
 * @param {{ root: string, outDir: string }} input
 */
export const prepare =
  ({ root, outDir }) =>
  async () => {
    const project = openProject({ root }, { environment: {} })
    const model = await project.load()
    return writeFiles(emitProgram(model, { outDir: join(outDir), storageKey: 'language' }))
  }
