import { join } from 'node:path'
import { runContender } from '../lib/run-contender.mjs'
import { versionOf } from '../lib/peers.mjs'
import { writeInlangProject, writeSnapshot } from '../lib/projects.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'

/**
 * Compiles the committed files to JavaScript on disk, without an existing output folder.
 * Measured in a separate process, after imports. Ours also checks each file's hash and
 * writes declarations, which the peer omits by default.
 */
const peerName = `paraglide ${versionOf('@inlang/paraglide-js')}`
const small = { ours: 'servicekit 1k', peer: 'paraglide 1k', peerName }
const large = { ours: 'servicekit 10k', peer: 'paraglide 1k', peerName: `${peerName}, 1k keys` }

/**
 * Files depend on languages and modules, never on keys: one per language and module, four per
 * module (messages, lookup, and their declarations), and 26 of the runtime and its adapters.
 *
 * @param {number} modules
 */
const filesOf = (modules) => 20 * modules + 4 * modules + 26

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'compilation of 1,000 keys in 20 languages; ours also with 10,000 keys',
  claims: [
    { claim: 'compile', figure: 'seconds', unit: 's', ...small, goal: { maxRatio: 0.1 } },
    { claim: 'compile-memory', figure: 'peakMb', unit: 'MiB', ...small, goal: { maxRatio: 0.3 } },
    {
      claim: 'compile-files',
      figure: 'files',
      unit: 'files',
      ...small,
      goal: { max: filesOf(10) },
    },
    { claim: 'compile-10k', figure: 'seconds', unit: 's', ...large, goal: { maxRatio: 0.08 } },
    { claim: 'compile-10k-memory', figure: 'peakMb', unit: 'MiB', ...large, goal: { max: 150 } },
    {
      claim: 'compile-10k-files',
      figure: 'files',
      unit: 'files',
      ...large,
      goal: { max: filesOf(20) },
    },
  ],
  async prepare({ folder, progress }) {
    const catalog = generateCatalog({ keys: 1000, languages: 20, modules: 10 })
    const [root, rootLarge] = [folder(), folder()]
    progress('writing the projects')
    await writeSnapshot(root, catalog)
    await writeSnapshot(rootLarge, generateCatalog({ keys: 10_000, languages: 20, modules: 20 }))
    const project = await writeInlangProject(root, catalog)
    /** @param {string} root @param {number} round */
    const servicekit = async (root, round) => {
      const outDir = join(root, `servicekit-${round}`)
      const { result, ...measured } = await runContender(
        'servicekit-compile',
        /** @type {const} */ ({ root, outDir }),
      )
      return { ...measured, files: /** @type {{ written: number }} */ (result).written }
    }
    return {
      'servicekit 1k': (round) => servicekit(root, round),
      'servicekit 10k': (round) => servicekit(rootLarge, round),
      'paraglide 1k': async (round) => {
        const outdir = join(root, `paraglide-${round}`)
        const { result, ...measured } = await runContender('paraglide-compile', { project, outdir })
        const { outputHashes } = /** @type {{ outputHashes: object }} */ (result)
        return { ...measured, files: Object.keys(outputHashes).length }
      },
    }
  },
}
