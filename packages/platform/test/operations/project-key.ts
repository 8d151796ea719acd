import type { OperationCase } from './operation-case.ts'
import type { Sent } from './world.ts'

/** The project keys of a request that are wrong, in its header and its query. */
const keyed = (sent: Sent, key: string | null): Sent => ({
  ...sent,
  key,
  ...(sent.query && 'ProjectKey' in sent.query
    ? { query: { ...sent.query, ProjectKey: key ?? '' } }
    : {}),
})

/** What fits most operations: without a project key 400, with one that nobody has 404. */
export const wrongKeys = (sent: Sent): readonly OperationCase[] => [
  { when: 'without a project key', status: 400, send: (world) => world.send(keyed(sent, null)) },
  {
    when: 'with the key of no project',
    status: 404,
    send: (world) => world.send(keyed(sent, 'none')),
  },
]
