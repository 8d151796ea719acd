/**
 * Loader that lets child processes of a test import source files:
 * `node -C source --import` this file. Types are stripped without checking. Results are
 * cached in the folder TS_LOADER_CACHE, if it is set: loading the compiler takes a second.
 */
import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { register } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// Node runs hooks in a separate thread, which loads this file again.
if (isMainThread) register(import.meta.url)

const cache = process.env['TS_LOADER_CACHE']

/**
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => unknown} next
 */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const text = await readFile(fileURLToPath(url), 'utf8')
  const source = cache ? await cachedStrip(text, cache) : await strip(text)
  return { format: 'module', source, shortCircuit: true }
}

/** @param {string} text @param {string} folder */
async function cachedStrip(text, folder) {
  const kept = join(folder, `${createHash('sha1').update(text).digest('hex')}.js`)
  return readFile(kept, 'utf8').catch(async () => {
    const stripped = await strip(text)
    // Another process may read it at the same time.
    const part = `${kept}.${process.pid}`
    await writeFile(part, stripped)
    await rename(part, kept)
    return stripped
  })
}

/** @param {string} text */
async function strip(text) {
  const { default: ts } = await import('typescript')
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      verbatimModuleSyntax: true,
    },
  })
  return outputText
}
