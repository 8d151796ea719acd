import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compile } from '@inlang/paraglide-js'

/**
 * Does what Paraglide's bundler plugin does in development when a message file changes:
 * compiles with the hashes of the last compilation, one module per language, which is its
 * default there, and writes what differs.
 *
 * @param {{ project: string, outdir: string, file: string, key: string, round: number }} input
 */
export async function prepare({ project, outdir, file, key, round }) {
  /** @type {import('@inlang/paraglide-js').CompilerOptions} */
  const options = {
    project,
    outdir,
    outputStructure: 'locale-modules',
    strategy: ['globalVariable', 'baseLocale'],
    cleanOutdir: false,
  }
  const original = await readFile(file, 'utf8')
  let previousCompilation = await compile(options)
  const update = async () => {
    const next = await compile({ ...options, previousCompilation })
    const written = changed(previousCompilation.outputHashes ?? {}, next.outputHashes ?? {})
    previousCompilation = next
    return { written }
  }
  const edit = (/** @type {string} */ text) =>
    writeFile(file, JSON.stringify({ ...JSON.parse(original), [key]: text }, null, 2))
  await edit('Warming up')
  await update()
  const text = `Changed in round ${round}`
  await edit(text)
  return {
    work: update,
    after: async () => {
      const messages = await readFile(
        join(outdir, 'messages', basename(file, '.json') + '.js'),
        'utf8',
      )
      if (!messages.includes(text)) throw new Error('The output does not contain the edit')
      const { written } = await update()
      await writeFile(file, original)
      return { again: written }
    },
  }
}

/**
 * Counts the files whose hash differs.
 *
 * @param {Record<string, string>} before
 * @param {Record<string, string>} after
 */
const changed = (before, after) =>
  Object.entries(after).filter(([file, hash]) => before[file] !== hash).length
