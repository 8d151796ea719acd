import { type Operation, operations, SessionError } from '@servicekit/contract'
import type { OperationCase, OperationCases } from './operation-case.ts'
import type { Sent, World } from './world.ts'

/** Request of each operation; authorization is checked before the parameters. */
const sentTo = ({ route, query }: Operation): Sent => ({
  path: route.path.replaceAll(/\{\w+\}/g, 'ada'),
  method: route.method,
  ...(query && 'ProjectKey' in query.shape ? { query: { ProjectKey: 'P' } } : {}),
  ...(route.id === 'auth.initiate' ? { query: { 'x-service-key': 'P' } } : {}),
  ...(route.id === 'auth.callback' ? { query: { state: 'P.state' } } : {}),
  ...(route.body === 'json' ? { body: {} } : {}),
  ...(route.body === 'form' ? { form: {} } : {}),
  isAnonymous: true,
})

const invalid = { authorization: 'Bearer nothing' }

function casesOf(operation: Operation): readonly OperationCase[] {
  const { who, proofs } = operation.access
  const sent = sentTo(operation)
  const coded = operation.responses[401]?.schema === SessionError
  const code = (name: string) => (coded ? { code: name } : {})
  const cases: OperationCase[] = []
  if (operation.denied === 'result') {
    cases.push({
      when: 'with an invalid token',
      status: 200,
      body: { errors: [{ extensions: { code: 'AUTH_NOT_AUTHENTICATED' } }] },
      send: (world) => world.send({ ...sent, headers: invalid }),
    })
    return cases
  }
  cases.push({
    when: 'with an invalid token',
    status: 401,
    ...code('invalid_token'),
    send: (world) => world.send({ ...sent, headers: invalid }),
  })
  if (who === 'anyone' || who === 'session') return cases
  if (who !== 'optional') {
    cases.push({
      when: 'without a valid session',
      status: 401,
      ...code('session_not_found'),
      send: (world) => world.send(sent),
    })
  }
  if (proofs.includes('session') && who !== 'optional') {
    cases.push({
      when: 'with an expired session',
      status: 401,
      ...code('session_expired'),
      send: (world: World) => world.send({ ...sent, by: world.expired }),
    })
  }
  if (operation.responses[403]) {
    cases.push({
      when: 'for a caller without the role',
      status: 403,
      send: (world: World) =>
        world.send({
          ...sent,
          ...(proofs.includes('bearer')
            ? { headers: { authorization: `Bearer ${world.plainToken}` } }
            : { by: world.outsider, key: 'R' }),
        }),
    })
  }
  return cases
}

/** Cases for the access rule of every operation. */
export const accessCases: OperationCases = Object.fromEntries(
  operations.map((operation) => [operation.route.id, casesOf(operation)]),
)
