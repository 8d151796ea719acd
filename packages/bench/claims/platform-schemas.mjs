import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runContender } from '../lib/run-contender.mjs'
import { versionOf } from '../lib/peers.mjs'
import { printSdl } from '../lib/sdl.mjs'
import { entitiesOf, generateSchemas, listingOf } from '../lib/schemas.mjs'

/**
 * A project of 1,000 schemas. Measures its first gateway query, in a process that has just
 * opened the project's data folder and has loaded neither GraphQL nor any schema; then a
 * field is added to one schema, measured from the publish request to the response to a
 * query that selects the field. The floor is the time that graphql-js needs to build the
 * same executable schema from SDL in memory and run the query on it, with GraphQL already
 * imported and without a database.
 */
const count = 1000
const graphql = `graphql-js ${versionOf('graphql')} from SDL`

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: `gateway of a project with ${count.toLocaleString('en')} schemas`,
  claims: [
    {
      claim: 'platform-schemas-first',
      figure: 'seconds',
      unit: 's',
      ours: 'platform',
      peer: 'graphql',
      peerName: graphql,
      goal: { maxRatio: 1 },
    },
    {
      claim: 'platform-schemas-change',
      figure: 'changeMs',
      unit: 'ms',
      ours: 'platform',
      peer: 'graphql',
      peerName: graphql,
      goal: { maxRatio: 0.2 },
    },
    {
      claim: 'platform-schemas-shown',
      figure: 'shownMs',
      unit: 'ms',
      ours: 'platform',
      peer: 'graphql',
      peerName: graphql,
      goal: { maxRatio: 0.12 },
    },
  ],
  async prepare({ folder, progress }) {
    const root = folder()
    const schemas = generateSchemas(count)
    const listing = join(root, 'listing.json')
    writeFileSync(listing, JSON.stringify(listingOf(schemas)))
    const sdl = join(root, 'schema.graphql')
    writeFileSync(sdl, printSdl(schemas))
    const filled = join(root, 'data')
    progress('creating the project')
    await runContender('platform-schemas-fill', { dataDir: filled, listing })
    const { schemaName: entity = '', querySchema = '' } = entitiesOf(schemas)[0] ?? {}
    return {
      platform: async () => {
        const dataDir = join(folder(), 'data')
        cpSync(filled, dataDir, { recursive: true })
        const { seconds, result } = await runContender('platform-schemas', {
          dataDir,
          listing,
          entity,
        })
        return { seconds, .../** @type {Record<string, number>} */ (result) }
      },
      graphql: async () => {
        const query = `{ ${querySchema} { items { ItemId } totalCount } }`
        const { seconds } = await runContender('graphql-build-schema', { sdl, query })
        return { seconds, changeMs: seconds * 1000, shownMs: seconds * 1000 }
      },
    }
  },
}
