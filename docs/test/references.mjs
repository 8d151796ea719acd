import { posix } from 'node:path'

const path = /[\w@.-]+(?:\/[\w@.-]+)*\.(?:tsx?|mjs|js|md|json|txt|css|svelte|vue)(?![\w/-])/g
const alwaysOurs = /\w\.(?:test|test-d|check)\.\w+$|^[A-Z]{4,}\.md$|^[\w-]{2,}\.[cm]?tsx?$/

/**
 * Finds references in Markdown and in comments to files that do not exist. A path refers to
 * the repository if it begins with one of its folders. `src/app.tsx` in a README or a guide is a
 * file of the reader's application, unless the package has such a file; in OPERATIONS.md it is
 * a file of that package.
 *
 * @param {readonly { path: string, text: string }[]} files documents and sources, with `/`
 * @param {readonly string[]} all every file of the repository
 * @returns {string[]} `file:line mentions path`
 */
export function staleReferences(files, all) {
  const known = new Set(all)
  const folders = new Set(all.flatMap(parents))
  const names = new Set(all.map((file) => posix.basename(file)))
  return files.flatMap(({ path: file, text }) => {
    const bases = ['', posix.dirname(file), ...parents(file).filter(isPackage).flatMap(within)]
    return mentions(file, text).flatMap(({ target, line }) => {
      const candidates = bases.map((base) => posix.normalize(posix.join(base, target)))
      const exists = candidates.some(
        (one) => known.has(one) || known.has(one.replace(/\.js$/, '.ts')),
      )
      if (exists || (!target.includes('/') && names.has(target))) return []
      const [first = ''] = target.split('/')
      const others = file.endsWith('/OPERATIONS.md') ? /^(dist|\.\.)$/ : /^(src|dist|\.\.)$/
      const isOurs =
        target.includes('/') &&
        !others.test(first) &&
        bases.some((base) => folders.has(posix.join(base, first)))
      return isOurs || alwaysOurs.test(target) ? [`${file}:${line} mentions ${target}`] : []
    })
  })
}

/** @param {string} file */
const parents = (file) =>
  file
    .split('/')
    .flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join('/')]))

const isPackage = (/** @type {string} */ folder) =>
  /^(packages|fixtures\/apps)\/[^/]+$/.test(folder)
const within = (/** @type {string} */ folder) => [folder, `${folder}/src`, `${folder}/test`]

/**
 * Returns the paths in code spans and links of Markdown, and in comments of sources.
 *
 * @param {string} file
 * @param {string} text
 */
function mentions(file, text) {
  const spans = file.endsWith('.md')
    ? /`[^`\n]+`|\]\([^)\s]+\)/g
    : /(?<![:\w'"`(])\/\/ .*|\/\*\*?[\s\S]*?\*\//g
  return [...text.matchAll(spans)].flatMap((span) =>
    [...span[0].matchAll(path)]
      .filter((found) => !/[:/*~<$}]$/.test(span[0].slice(0, found.index)))
      .map((found) => {
        const line = text.slice(0, span.index + found.index).split('\n').length
        return { target: found[0].replace(/^\.\//, ''), line }
      }),
  )
}
