import { homedir } from 'node:os'

/**
 * Returns patterns for names that no file may contain: folders of a developer's machine,
 * and hosts that packages were fetched from. Both work for one person and fail for others.
 *
 * @param {{ root: string, registry: string }} machine this checkout and npm's registry
 * @returns {{ what: string, pattern: RegExp }[]}
 */
export function forbiddenNames({ root, registry }) {
  const own = [root, homedir()].filter((path) => path.length > 1).map(escape)
  const host = escape(new URL(registry).host)
  return [
    {
      what: 'a folder of this machine',
      pattern: new RegExp(`(?:${own.join('|')})(?=[/\\\\'"\\s]|$)`),
    },
    {
      what: "somebody's home folder",
      // Examples use `you` or `user`, which are nobody's folders.
      pattern: /(?<![\w.-])(?:\/home|\/Users|[A-Z]:\\{1,2}Users)[/\\]+(?!(?:you|user|name)\b)\w/,
    },
    { what: 'the host of a package registry', pattern: new RegExp(`\\b${host}`) },
    { what: 'the host of a package registry', pattern: /\/\/[\w.-]*regist[r]y[\w.-]*\.[a-z]{2,}/ },
  ]
}

/**
 * @param {readonly { path: string, text: string }[]} files
 * @param {ReturnType<typeof forbiddenNames>} forbidden
 * @returns {string[]} one entry for each line that contains a forbidden name
 */
export function findNames(files, forbidden) {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const found = forbidden.find(({ pattern }) => pattern.test(line))
      return found ? [`${path}:${index + 1} names ${found.what}`] : []
    }),
  )
}

/** @param {string} text */
const escape = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
