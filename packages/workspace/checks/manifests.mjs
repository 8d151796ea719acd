import { isDeepStrictEqual } from 'node:util'

/**
 * What a public package's package.json gets wrong. `exports` serves the
 * repository and has the `source` condition; `publishConfig.exports` is what
 * users get. They are written by hand and must say the same.
 *
 * @param {Record<string, any>} manifest
 * @param {Record<string, any>} rootManifest
 * @returns {string[]}
 */
export function manifestProblems(manifest, rootManifest) {
  const published = Object.fromEntries(
    Object.entries(manifest.exports ?? {}).map(([entry, target]) => {
      if (typeof target === 'string') return [entry, target]
      const { source: _, ...conditions } = target
      return [entry, conditions]
    }),
  )
  const expected = {
    'engines.node': [manifest.engines?.node, rootManifest.engines.node],
    license: [manifest.license, rootManifest.license],
    type: [manifest.type, 'module'],
    'publishConfig.access': [manifest.publishConfig?.access, 'public'],
    'publishConfig.exports': [manifest.publishConfig?.exports, published],
    repository: [manifest.repository?.url, rootManifest.repository?.url],
  }
  return Object.entries(expected)
    .filter(([, [actual, wanted]]) => !isDeepStrictEqual(actual, wanted))
    .map(
      ([field, [actual, wanted]]) =>
        `${manifest.name}: ${field} is ${JSON.stringify(actual)}, expected ${JSON.stringify(wanted)}`,
    )
}
