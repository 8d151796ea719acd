import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  emitProgram,
  normaliseFile,
  openProject,
  updateModel,
  writeFiles,
} from '@servicekit/catalog'

/**
 * Notifies a warm session of a changed file, as a watcher does. The session reads that
 * file, updates the model, and updates JavaScript and declarations of its module on disk,
 * in every language that may show the message.
 *
 * @param {{ root: string, language: string, module: string, key: string, round: number }} input
 */
export async function prepare({ root, language, module, key, round }) {
  const project = openProject({ root }, { environment: {} })
  const options = { outDir: join(root, `edit-${round}`), storageKey: 'language' }
  const file = join(root, 'uilm', language, `${module}.json`)
  const original = await readFile(file, 'utf8')
  let model = await project.load()
  await writeFiles(emitProgram(model, options))
  const update = async () => {
    const place = { language, module }
    const { translations } = normaliseFile(JSON.parse(await readFile(file, 'utf8')), place)
    const before = model
    model = updateModel(before, [{ ...place, translations }])
    return writeFiles(emitProgram(model, options, before))
  }
  const edit = (/** @type {string} */ text) =>
    writeFile(file, JSON.stringify({ ...JSON.parse(original), [key]: text }))
  for (let warming = 0; warming < 5; warming++) {
    await edit(`Warming up ${warming}`)
    await update()
  }
  const text = `Changed in round ${round}`
  await edit(text)
  return {
    work: update,
    after: async () => {
      // The lockfile has the hash of the original.
      await writeFile(file, original)
      const pack = await readFile(join(options.outDir, language, `${module}.js`), 'utf8')
      if (!pack.includes(text)) throw new Error('The output does not contain the edit')
      return { again: (await writeFiles(emitProgram(model, options))).written }
    },
  }
}
