import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { docsUrl } from './docs-url.mjs'

const docs = join(import.meta.dirname, '..')

/**
 * Returns the Markdown of a page with the files that it includes, as a reader of the site
 * sees it.
 *
 * @param {string} path relative to the folder of the documentation
 */
function expandPage(path) {
  const folder = dirname(join(docs, path))
  return readFileSync(join(docs, path), 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replaceAll(/^<!--@include: (\S+)-->$/gm, (_, file) =>
      readFileSync(join(folder, file), 'utf8').trim(),
    )
    .replaceAll(/^<<< (\S+)(?: \[(.+)\])?$/gm, (_, file, title) => {
      const code = readFileSync(
        join(file.startsWith('@/') ? docs : folder, file.replace(/^@\//, '')),
        'utf8',
      ).trim()
      return `${title ? `${title}:\n\n` : ''}\`\`\`${extname(file).slice(1)}\n${code}\n\`\`\``
    })
    .replaceAll(/^::: .*\n*|^:::\n*/gm, '')
    .trim()
}

/**
 * Writes `llms.txt`, a list of the pages, and `llms-full.txt`, which contains them.
 *
 * @param {string} outDir
 * @param {readonly string[]} paths pages in the order of the sidebar
 */
export function writeLlms(outDir, paths) {
  const pages = paths.map((path) => ({ path, text: expandPage(path) }))
  const lines = pages.map(({ path, text }) => {
    const [, title = path] = /^# (.+)$/m.exec(text) ?? []
    const [, about = ''] = /^# .+\n+([^#<|`\n][^\n]*)/m.exec(text) ?? []
    const address = `${docsUrl}${path.replace(/\.md$/, '.html')}`
    return `- [${title}](${address})${about && `: ${about}`}`
  })
  const [head = ''] = pages[0]?.text.split('\n\n- ') ?? []
  writeFileSync(join(outDir, 'llms.txt'), `${head}\n\n## Pages\n\n${lines.join('\n')}\n`)
  writeFileSync(
    join(outDir, 'llms-full.txt'),
    `${pages.map(({ text }) => text).join('\n\n---\n\n')}\n`,
  )
}
