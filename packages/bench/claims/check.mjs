import { openProject } from '@servicekit/catalog'
import { runContender } from '../lib/run-contender.mjs'
import { writeSnapshot } from '../lib/projects.mjs'
import { writeSources } from '../lib/sources.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'

/**
 * Checks 10,000 keys in 20 languages and 2,000 code files, in a separate process, after
 * imports. No other tool checks all of this, so the peer is a floor: parsing the same
 * files and messages without checking anything.
 */
const files = 2000
const floor = { peer: 'parse', peerName: 'TypeScript and JSON.parse only' }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: `check of 10,000 keys in 20 languages and ${files.toLocaleString('en')} files`,
  claims: [
    {
      claim: 'check',
      figure: 'seconds',
      unit: 's',
      ours: 'check',
      ...floor,
      goal: { maxRatio: 2.75 },
    },
    {
      claim: 'check-memory',
      figure: 'peakMb',
      unit: 'MiB',
      ours: 'check',
      ...floor,
      goal: { max: 600 },
    },
  ],
  async prepare({ folder, progress }) {
    const root = folder()
    const catalog = generateCatalog({ keys: 10_000, languages: 20, modules: 20 })
    progress('writing the project')
    await writeSnapshot(root, catalog)
    const { used } = writeSources(root, catalog, files)
    const project = openProject({ root }, { environment: {} })
    await project.writeTypes(await project.load())
    return {
      check: async () => {
        const { result, ...measured } = await runContender('servicekit-check', { root })
        const found = /** @type {{ files: number, unused: number, unknown: number }} */ (result)
        // A fast check with wrong results would not count.
        const expected = { files, unused: catalog.messages.length - used, unknown: 0 }
        for (const [name, count] of Object.entries(expected)) {
          const actual = found[/** @type {keyof typeof found} */ (name)]
          if (actual !== count) throw new Error(`${name} is ${actual} instead of ${count}`)
        }
        return { ...measured }
      },
      parse: async () => {
        const { seconds, peakMb } = await runContender('parse-sources', { root })
        return { seconds, peakMb }
      },
    }
  },
}
