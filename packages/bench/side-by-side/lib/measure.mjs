import { build } from 'esbuild'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { countLines } from './count-lines.mjs'
import { mistakes, tasks } from './tasks.mjs'
import { createTypeChecker } from './type-checker.mjs'

/**
 * Figures of a tool.
 *
 * @typedef {object} Figures
 * @property {Readonly<Record<string, number>>} lines by task, and of `client`
 * @property {Readonly<Record<string, 'compiler' | 'own checker' | 'no'>>} caught by mistake
 * @property {{ one: number, ten: number } | undefined} bytes of one query and of all tasks,
 *   minified and compressed; undefined if the tool is not for browsers
 */

/**
 * @param {string} folder with the tasks of the tool and its generated code
 * @param {import('./tools.mjs').Tool} tool
 * @returns {Promise<Figures>}
 */
export async function measure(folder, tool) {
  const names = Object.keys(tasks)
  /** @param {string} name */
  const read = (name) => readFileSync(join(folder, name), 'utf8')
  const lines = names.map((name) => [name, countLines(read(`tasks/${name}.ts`))])
  lines.push(['client', countLines(read('client.ts'))])
  return {
    lines: Object.fromEntries(lines),
    caught: await findCaught(folder, tool),
    bytes: tool.isForBrowsers
      ? { one: await bundledBytes(folder, ['list']), ten: await bundledBytes(folder, names) }
      : undefined,
  }
}

/**
 * Applies each mistake alone, and type checks the tasks.
 *
 * @param {string} folder
 * @param {import('./tools.mjs').Tool} tool
 * @returns {Promise<Figures['caught']>}
 */
async function findCaught(folder, { name, types, check }) {
  const typeCheck = createTypeChecker(folder, types)
  const errors = typeCheck()
  if (errors.length > 0) throw new Error(`${name} has type errors:\n${errors.join('\n')}`)
  if (check && !(await check(folder))) throw new Error(`The checker of ${name} finds errors`)
  const edits = JSON.parse(readFileSync(join(folder, 'mistakes.json'), 'utf8'))
  /** @type {Record<string, 'compiler' | 'own checker' | 'no'>} */
  const caught = {}
  for (const mistake of Object.keys(mistakes)) {
    const { file, from, to } = edits[mistake]
    const path = join(folder, 'tasks', file)
    const before = readFileSync(path, 'utf8')
    const [head = '', tail, ...more] = before.split(from)
    if (tail === undefined || more.length > 0) {
      throw new Error(`${name}: ${JSON.stringify(from)} must occur once in ${file}`)
    }
    const text = head + to + tail
    if (typeCheck({ file, text }).length > 0) {
      caught[mistake] = 'compiler'
      continue
    }
    writeFileSync(path, text)
    caught[mistake] = check && !(await check(folder)) ? 'own checker' : 'no'
    writeFileSync(path, before)
  }
  return caught
}

/** @param {string} folder @param {readonly string[]} names of tasks */
async function bundledBytes(folder, names) {
  const { outputFiles } = await build({
    stdin: {
      contents: names.map((name) => `export * from './tasks/${name}.ts'`).join('\n'),
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}
