import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  openProject,
  parseManifest,
  pointerName,
  printPointer,
  repack,
  writeFiles,
  writeIfChanged,
} from '@servicekit/catalog'

/**
 * Compiles the committed translations, each checked against the lockfile, to packs of an
 * existing build on disk.
 *
 * @param {{ root: string, manifest: string, outDir: string }} input
 */
export const prepare =
  ({ root, manifest, outDir }) =>
  async () => {
    const build = parseManifest(await readFile(manifest, 'utf8'))
    const model = await openProject({ root }, { environment: {} }).load()
    const { packs, pointer } = repack(build, model)
    const report = await writeFiles(
      packs.map(({ name, source }) => ({ path: join(outDir, name), text: source })),
    )
    await writeIfChanged(join(outDir, pointerName), printPointer(pointer))
    return report
  }
