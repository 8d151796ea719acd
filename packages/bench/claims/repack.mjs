import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManifest, emitPackFiles, openProject, printManifest } from '@servicekit/catalog'
import { generateCatalog } from '../lib/generate-catalog.mjs'
import { writeSnapshot } from '../lib/projects.mjs'
import { runContender } from '../lib/run-contender.mjs'

/**
 * Compiles new translations of every key for an existing build of 50 chunks, without a
 * bundler: 1,000 packs. The floor is `compile` of the same translations, which writes half as many
 * files. Both read the committed files and check their hashes, and write to an empty folder.
 */
const size = { keys: 10_000, languages: 20, modules: 20 }
const chunkCount = 50

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'new packs for a build of 50 chunks with 10,000 keys in 20 languages',
  claims: [
    {
      claim: 'repack',
      figure: 'seconds',
      unit: 's',
      ours: 'repack',
      peer: 'compile',
      peerName: 'servicekit compile of the same translations',
      goal: { maxRatio: 1.5 },
    },
    {
      claim: 'repack-files',
      figure: 'files',
      unit: 'files',
      ours: 'repack',
      peer: 'compile',
      peerName: 'servicekit compile of the same translations',
      goal: { max: chunkCount * size.languages },
    },
  ],
  async prepare({ folder, progress }) {
    progress('writing the projects')
    const [root, builtRoot] = [folder(), folder()]
    await writeSnapshot(builtRoot, generateCatalog(size))
    await writeSnapshot(root, generateCatalog({ ...size, decorate: ({ text }) => `${text} ·` }))
    const manifest = join(builtRoot, 'uilm-manifest.json')
    writeFileSync(manifest, await manifestOf(builtRoot))
    return {
      async repack(round) {
        const outDir = join(root, `repack-${round}`)
        const { result, ...measured } = await runContender('servicekit-repack', {
          root,
          manifest,
          outDir,
        })
        return { ...measured, files: /** @type {{ written: number }} */ (result).written }
      },
      async compile(round) {
        const outDir = join(root, `compile-${round}`)
        const { result, ...measured } = await runContender('servicekit-compile', { root, outDir })
        return { ...measured, files: /** @type {{ written: number }} */ (result).written }
      },
    }
  },
}

/**
 * Returns the manifest of a build whose chunks each show the same number of keys.
 *
 * @param {string} root
 */
async function manifestOf(root) {
  const model = await openProject({ root }, { environment: {} }).load()
  const all = model.modules.flatMap(({ name, messages }) =>
    messages.map((message) => ({ name, message })),
  )
  const perChunk = all.length / chunkCount
  const chunks = Array.from({ length: chunkCount }, (_, index) => {
    const shown = all.slice(index * perChunk, (index + 1) * perChunk)
    return {
      keys: shown.map(({ name, message }) => /** @type {const} */ ([name, message.key])),
      ...emitPackFiles(
        model,
        shown.map(({ message }) => message),
      ),
    }
  })
  const byKey = new Map(all.map(({ name, message }) => [`${name}/${message.key}`, message]))
  return printManifest(
    createManifest(
      model,
      chunks,
      (module, key) =>
        /** @type {import('@servicekit/catalog').MessageModel} */ (byKey.get(`${module}/${key}`)),
    ),
  )
}
