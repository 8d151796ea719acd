/**
 * Returns the libraries that a page explains: the code in the first cell of each table row.
 *
 * @param {string} page
 * @returns {Set<string>}
 */
export const explainedLibraries = (page) =>
  new Set(
    [...page.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    ),
  )

/**
 * Returns the libraries that manifests name in any field, except the packages themselves and
 * folders of the repository.
 *
 * @param {readonly Record<string, any>[]} manifests
 * @returns {Set<string>}
 */
export function namedLibraries(manifests) {
  const own = new Set(manifests.map(({ name }) => name))
  const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  const names = manifests.flatMap((manifest) =>
    fields.flatMap((field) =>
      Object.entries(manifest[field] ?? {})
        .filter(([, version]) => !String(version).startsWith('file:'))
        .map(([name]) => name),
    ),
  )
  return new Set(names.filter((name) => !own.has(name)))
}
