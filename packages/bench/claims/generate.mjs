import { join } from 'node:path'
import { writeGatewayWork } from '../lib/gateway-work.mjs'
import { versionOf } from '../lib/peers.mjs'

/**
 * From files on disk to generated files on disk, the output folder not there before,
 * each in a process of its own after imports. Ours starts from the schema listing, as
 * users do; the peers are given the executable schema ready-made, and client-preset the
 * operations too. genql and zeus generate no operations, but types from which a client
 * makes them at run time.
 *
 * `generate-preset` is our output made by the peer's generator, without its start-up;
 * `generate-10000` is ours alone with ten times as many, beside the peer's 1,000.
 */
const preset = 'client-preset'
const peerNames = {
  [preset]: `client-preset ${versionOf('@graphql-codegen/client-preset')}`,
  genql: `genql ${versionOf('@genql/cli')}`,
  zeus: `zeus ${versionOf('graphql-zeus')}`,
}
/** @param {keyof typeof peerNames} peer */
const beside = (peer, ours = 'servicekit') => ({ ours, peer, peerName: peerNames[peer] ?? peer })
const seconds = { figure: 'seconds', unit: 's' }
const memory = { figure: 'peakMb', unit: 'MiB' }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'generate typed operations: 1,000 schemas, one list and one insert each',
  claims: [
    { claim: 'generate', ...seconds, ...beside(preset), goal: { maxRatio: 0.05 } },
    { claim: 'generate-memory', ...memory, ...beside(preset), goal: { max: 100 } },
    { claim: 'generate-genql', ...seconds, ...beside('genql'), goal: { maxRatio: 0.5 } },
    { claim: 'generate-zeus', ...seconds, ...beside('zeus'), goal: { maxRatio: 1 } },
    // Two files a schema instead of one
    { claim: 'generate-js', ...seconds, ...beside(preset, 'js'), goal: { maxRatio: 0.1 } },
    {
      claim: 'generate-preset',
      ...seconds,
      ...beside(preset, 'in codegen'),
      goal: { maxRatio: 0.08 },
    },
    { claim: 'generate-10000', ...seconds, ...beside(preset, '10,000'), goal: { maxRatio: 0.3 } },
  ],
  async prepare({ folder }) {
    const root = folder()
    const work = writeGatewayWork(root, 1000)
    const large = writeGatewayWork(join(root, 'large'), 10_000)
    /** @param {import('../lib/child.mjs').Measured<unknown>} measured */
    const sample = ({ seconds, peakMb }) => ({ seconds, peakMb })
    /** @param {string} name @param {(outDir: string) => Promise<import('../lib/child.mjs').Measured<unknown>>} run */
    const contender = (name, run) => async (/** @type {number} */ round) =>
      sample(await run(join(root, `${name}-${round}`)))
    return {
      servicekit: contender('ours', (outDir) => work.servicekit(outDir)),
      js: contender('js', (outDir) => work.servicekit(outDir, 'js')),
      'in codegen': contender('in-codegen', work.servicekitPreset),
      '10,000': contender('large-out', (outDir) => large.servicekit(outDir)),
      [preset]: contender('preset', (outDir) => work.clientPreset(outDir)),
      genql: contender('genql', work.genql),
      zeus: contender('zeus', work.zeus),
    }
  },
}
