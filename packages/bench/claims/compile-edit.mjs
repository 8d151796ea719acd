import { join } from 'node:path'
import { runContender } from '../lib/run-contender.mjs'
import { versionOf } from '../lib/peers.mjs'
import { writeInlangProject, writeSnapshot } from '../lib/projects.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'

/**
 * Time from changing one translation of one language in its file until the output on disk
 * contains it. Warm: everything was compiled and some edits were made in the same process.
 * Our work is ten times the peer's. Afterwards the files are compiled again without a
 * change, and the written files are counted.
 */
const peer = { peer: 'paraglide 1k', peerName: `paraglide ${versionOf('@inlang/paraglide-js')}` }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title:
    'one changed translation, warm, written to disk: ours with 10,000 keys x 20 languages, the peer with 1,000',
  claims: [
    {
      claim: 'compile-edit',
      figure: 'ms',
      unit: 'ms',
      ours: 'servicekit 10k',
      ...peer,
      goal: { maxRatio: 0.006 },
    },
    {
      claim: 'compile-unchanged',
      figure: 'again',
      unit: 'files written',
      ours: 'servicekit 10k',
      ...peer,
      goal: { max: 0 },
    },
  ],
  async prepare({ folder, progress }) {
    const catalog = generateCatalog({ keys: 1000, languages: 20, modules: 10 })
    const large = generateCatalog({ keys: 10_000, languages: 20, modules: 20 })
    const [root, rootLarge] = [folder(), folder()]
    progress('writing the projects')
    await writeSnapshot(rootLarge, large)
    const project = await writeInlangProject(root, catalog)
    const [{ key: smallKey }, { key, module }] = [middle(catalog.messages), middle(large.messages)]
    const language = 'de-DE'
    return {
      'servicekit 10k': async (round) =>
        sample(
          await runContender('servicekit-edit', { root: rootLarge, language, module, key, round }),
        ),
      'paraglide 1k': async (round) =>
        sample(
          await runContender('paraglide-edit', {
            project,
            outdir: join(root, `edit-${round}`),
            file: join(root, 'messages', `${language}.json`),
            key: smallKey,
            round,
          }),
        ),
    }
  },
}

/** @template T @param {readonly T[]} list @returns {T} */
const middle = (list) => /** @type {T} */ (list[Math.floor(list.length / 2)])

/** @param {import('../lib/run-contender.mjs').Measured<unknown>} measured */
function sample({ seconds, result }) {
  const { written, again } = /** @type {{ written: number, again: number }} */ (result)
  return { ms: seconds * 1000, written, again }
}
