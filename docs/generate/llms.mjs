import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '..')

/**
 * Returns the Markdown of a page without what only the site reads.
 *
 * @param {string} path relative to the folder of the documentation
 */
const textOf = (path) =>
  readFileSync(join(docs, path), 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replaceAll(/^<!-- (?:source|measured|not checked): .* -->\n*/gm, '')
    .replaceAll(/^::: .*\n*|^:::\n*/gm, '')
    .trim()

/**
 * Writes `llms.txt`, a list of the pages, and `llms-full.txt`, which contains them.
 *
 * @param {string} outDir
 * @param {readonly string[]} paths pages in the order of the sidebar
 */
export function writeLlms(outDir, paths) {
  const pages = paths.map((path) => ({ path, text: textOf(path) }))
  const lines = pages.map(({ path, text }) => {
    const [, title = path] = /^# (.+)$/m.exec(text) ?? []
    return `- [${title}](${path.replace(/\.md$/, '.html')})${summaryOf(text)}`
  })
  const [, about = ''] = /^# .+\n+(.+)/.exec(pages[0]?.text ?? '') ?? []
  writeFileSync(
    join(outDir, 'llms.txt'),
    `# Servicekit\n\n> ${about}\n\n## Pages\n\n${lines.join('\n')}\n`,
  )
  writeFileSync(
    join(outDir, 'llms-full.txt'),
    `${pages.map(({ text }) => text).join('\n\n---\n\n')}\n`,
  )
}

/** Returns the first sentence of a page after its title, if it has one. @param {string} text */
function summaryOf(text) {
  const [, paragraph = ''] = /^# .+\n+([^#<|`\n][^\n]*)/m.exec(text) ?? []
  const [, sentence] =
    /^(.+?\.)(?: |$)/.exec(paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')) ?? []
  return sentence === undefined ? '' : `: ${sentence}`
}
