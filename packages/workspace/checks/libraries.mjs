/**
 * The libraries that CONTRIBUTING.md's tables name: the code in the first cell of
 * each row below the heading.
 *
 * @param {string} text
 * @returns {Set<string>}
 */
function explainedLibraries(text) {
  const [, section = ''] = text.split(/^## Libraries.*$/m)
  const [own = ''] = section.split(/^## /m)
  const cells = own.split('\n').flatMap((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? [])
  return new Set(
    cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')),
  )
}

/**
 * Libraries that package.jsons name and CONTRIBUTING.md does not explain, and
 * those that it explains and nobody needs.
 *
 * @param {string} contributing
 * @param {readonly Record<string, any>[]} manifests all of the repository
 * @returns {string[]}
 */
export function libraryProblems(contributing, manifests) {
  const own = new Set(manifests.map(({ name }) => name))
  const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  const named = new Set(
    manifests
      .flatMap((manifest) => fields.flatMap((field) => Object.keys(manifest[field] ?? {})))
      .filter((name) => !own.has(name)),
  )
  const explained = explainedLibraries(contributing)
  return [
    ...[...named]
      .filter((name) => !explained.has(name))
      .map((name) => `CONTRIBUTING.md does not say why ${name} is here`),
    ...[...explained]
      .filter((name) => !named.has(name))
      .map((name) => `CONTRIBUTING.md explains ${name}, which no package.json names`),
  ]
}
