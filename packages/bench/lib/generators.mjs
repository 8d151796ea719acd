import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runContender } from './run-contender.mjs'
import { generateSchemas, listingOf, withMutations } from './schemas.mjs'
import { printOperations, printSdl } from './sdl.mjs'

/**
 * Writes the input of the generators of typed operations, a schema listing for ours and an
 * executable schema with one list and one insert per entity for the peers, and returns a
 * function that runs each generator.
 *
 * @param {string} root
 * @param {number} entities
 * @param {readonly string[]} [kinds] of mutations, otherwise inserts for the peers, and ours also
 *   has updates and deletes
 */
export function prepareGenerators(root, entities, kinds) {
  const generated = generateSchemas(entities)
  const schemas = kinds === undefined ? generated : withMutations(generated, kinds)
  const files = {
    listing: join(root, 'listing.json'),
    schema: join(root, 'schema.graphql'),
    documents: join(root, 'operations.graphql'),
  }
  mkdirSync(root, { recursive: true })
  writeFileSync(files.listing, JSON.stringify(listingOf(schemas)))
  writeFileSync(files.schema, printSdl(schemas, kinds))
  writeFileSync(files.documents, printOperations(schemas, kinds))

  return {
    schemas,
    /** @param {string} outDir @param {'ts' | 'js'} [output] */
    servicekit: (outDir, output = 'ts') =>
      runContender('servicekit-generate', { listing: files.listing, outDir, output }),
    /** Our preset in the peer's generator. @param {string} outDir */
    servicekitPreset: (outDir) =>
      runContender('servicekit-preset', { listing: files.listing, outDir }),
    /** @param {string} outDir */
    genql: (outDir) => runContender('genql', { schema: files.schema, outDir }),
    /** @param {string} outDir */
    zeus: (outDir) => runContender('zeus', { schema: files.schema, outDir }),
    /**
     * Runs in the folder of this package, because the command resolves its presets from
     * there.
     *
     * @param {string} outDir
     * @param {object} [config] of the preset
     */
    clientPreset: (outDir, config = {}) =>
      runContender(
        'client-preset',
        { schema: files.schema, documents: files.documents, outDir, config },
        { cwd: import.meta.dirname },
      ),
  }
}
