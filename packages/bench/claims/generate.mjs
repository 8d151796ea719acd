import { join } from 'node:path'
import { writeGatewayWork } from '../lib/gateway-work.mjs'
import { versionOf } from '../lib/peers.mjs'

/**
 * From files on disk to generated files on disk, the output folder not there before,
 * each in a process of its own after imports. Ours starts from the schema listing, as
 * users do; the peer is given the executable schema and the operations ready-made.
 */
const pair = {
  ours: 'servicekit',
  peer: 'client-preset',
  peerName: `client-preset ${versionOf('@graphql-codegen/client-preset')}`,
}

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'generate typed operations: 1,000 schemas, one list and one insert each',
  claims: [
    { claim: 'generate', figure: 'seconds', unit: 's', ...pair, goal: { max: 0.25 } },
    { claim: 'generate-memory', figure: 'peakMb', unit: 'MiB', ...pair, goal: { max: 100 } },
  ],
  async prepare({ folder }) {
    const root = folder()
    const work = writeGatewayWork(root, 1000)
    /** @param {import('../lib/child.mjs').Measured<unknown>} measured */
    const sample = ({ seconds, peakMb }) => ({ seconds, peakMb })
    return {
      servicekit: async (round) => sample(await work.servicekit(join(root, `ours-${round}`))),
      'client-preset': async (round) =>
        sample(await work.clientPreset(join(root, `preset-${round}`))),
    }
  },
}
