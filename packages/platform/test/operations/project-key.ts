import type { OperationCase } from './operation-case.ts'
import type { Sent } from './world.ts'

/** Sets the project key in the header and the query of a request. */
const keyed = (sent: Sent, key: string | null): Sent => ({
  ...sent,
  key,
  ...(sent.query && 'ProjectKey' in sent.query
    ? { query: { ...sent.query, ProjectKey: key ?? '' } }
    : {}),
})

/** Cases that fit most operations: 400 without a project key, 404 with an unknown one. */
export const wrongKeys = (sent: Sent): readonly OperationCase[] => [
  { when: 'without a project key', status: 400, send: (world) => world.send(keyed(sent, null)) },
  {
    when: 'with an unknown project key',
    status: 404,
    send: (world) => world.send(keyed(sent, 'none')),
  },
]
