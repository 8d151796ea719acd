import { isDeep } from '@servicekit/testing/is-deep'
import { expect, it } from 'vitest'
import { nodeBlobs } from '../src/blobs-node.ts'
import { undiciTransport } from '../src/transport-undici.ts'
import * as kit from './fuzz/entry.ts'
import { fuzz } from './fuzz/run.ts'

const count = isDeep ? 10_000 : 250

it(
  `on Node, ${count} hostile responses end in typed errors or right values, in time, without a secret`,
  async () => {
    expect.hasAssertions()
    const blobs = nodeBlobs()
    const variant = { name: 'undici', kit, options: { transport: undiciTransport() }, blobs }
    await fuzz([variant], count, [
      'REQUEST_REFUSED',
      'REQUEST_FAILED',
      'REQUEST_TIMED_OUT',
      'RATE_LIMITED',
      'RESPONSE_INVALID',
      'RESPONSE_TOO_LARGE',
      'OPERATION_FAILED',
      'DOWNLOAD_FAILED',
      'UPLOAD_FAILED',
    ])
  },
  isDeep ? 1_200_000 : 60_000,
)
