/**
 * Keeps copies in pages equal to their sources, so that a page can be read in the repository as well
 * as on the site. A comment before a code block names the file that it shows, and one before a table
 * the benchmark that measured it:
 *
 *     <!-- source: ../../fixtures/apps/vite-react/vite.config.ts -->
 *
 *     <!-- measured: first-load -->
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resultParts } from './results.mjs'

const docs = join(import.meta.dirname, '..')
const code = /^(<!-- source: (\S+) -->\n\n```.*\n)[\s\S]*?^```$/gm
const measured = /^(<!-- measured: (\S+) -->\n\n)(?:.+\n)*/gm

/** Returns the pages with copies, with their text as it should be, by path in the documentation. */
export function filledPages() {
  const results = resultParts()
  const paths = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules/'))
  return new Map(
    paths
      .map((path) => {
        const folder = dirname(join(docs, path))
        const text = readFileSync(join(docs, path), 'utf8')
          .replaceAll(code, (_, start, file) => {
            const source = readFileSync(join(folder, file), 'utf8').trimEnd()
            return `${start}${source}\n\`\`\``
          })
          .replaceAll(measured, (_, start, name) => {
            const result = results[name]
            if (result === undefined) throw new Error(`${path}: there is no benchmark ${name}`)
            return start + result
          })
        return /** @type {const} */ ([path, text])
      })
      .filter(([, text]) => /^<!-- (?:source|measured): /m.test(text)),
  )
}
