import type { Sent } from '../operations/world.ts'

const gateway = (query: string): Sent => ({ path: '/data/v4/gateway', body: { query } })
const users = (body: object): Sent => ({ path: '/iam/v4/iam/users', body })
const first = { page: 0, pageSize: 10 }

/** Requests whose statements differ from those of the cases of their operation. */
export const moreRequests: Readonly<Record<string, Sent>> = {
  'data.execute, a page': gateway('{ Things { items { ItemId Name } totalCount } }'),
  'data.execute, a page without a count': gateway('{ Things { items { ItemId Name } } }'),
  'data.execute, by ItemId': gateway(
    '{ Things(where: { ItemId: { eq: "record 7" } }) { items { Name } totalCount } }',
  ),
  'data.execute, by several ids': gateway(
    '{ Things(where: { ItemId: { in: ["record 7", "record 8"] } }) { items { Name } } }',
  ),
  'data.execute, an update': gateway(
    'mutation { updateThing(where: { ItemId: { eq: "record 7" } }, input: { Name: "b" }) { acknowledged } }',
  ),
  'data.execute, a deletion': gateway(
    'mutation { deleteThing(where: { ItemId: { eq: "record 8" } }) { acknowledged } }',
  ),
  'iam.listUsers, a page': users(first),
  'iam.listUsers, by email address': users({
    ...first,
    sort: { property: 'email', isDescending: true },
  }),
  'iam.listUsers, of an organization': users({
    ...first,
    filter: { organizationId: 'organization 1' },
  }),
  'iam.listRoles, a page': { path: '/iam/v4/iam/roles', body: first },
  'iam.listOrganizations, a page': { path: '/iam/v4/iam/organizations' },
}

/** Paths of control operations below a project. */
export const controlReads: readonly string[] = [
  '/languages',
  '/modules',
  '/keys?page=1&pageSize=20',
  '/keys?page=1&pageSize=20&module=module%201',
  '/keys?page=1&pageSize=20&search=text%2010',
  '/keys?page=1&pageSize=20&missing=fr',
  '/drafts',
  '/history?limit=20',
  '/history?limit=20&module=module%201&key=KEY_1',
  '/comments?page=1&pageSize=20',
  '/comments?page=1&pageSize=20&module=module%201&key=KEY_1',
  '/assignments?module=module%201&key=KEY_1',
  '/tasks/counts?person=user%201',
  '/tasks?kind=mentions&pageSize=20&person=user%201',
  '/tasks?kind=assigned&pageSize=50&person=user%201',
  '/tasks?kind=toReview&pageSize=20&person=ada',
  '/tasks?kind=needsReview&pageSize=20&person=ada',
  '/states',
  '/drafts/problems',
  '/keys?page=100&pageSize=500',
  '/tasks?kind=toReview&page=5&pageSize=200&person=ada',
  '/tasks?kind=needsReview&page=20&pageSize=200&person=ada',
  '/people',
  '/translation-jobs',
  '/schemas',
  '/clients',
  '/users/user%201/sessions',
  '/inbox?recipient=user1@example.com',
  '/webhook',
  '/deliveries',
  '/tools',
  '/agents',
  '/knowledge?limit=10',
  '/knowledge?limit=10&agent=agent%201',
  '/knowledge?limit=10&search=question%2017',
  '/knowledge?limit=10&search=17%20nowhere',
  '/knowledge?limit=10&search=question&agent=agent%201',
  '/knowledge?limit=10&search=-17',
]

const keys = (count: number): { module: string; key: string }[] =>
  Array.from({ length: count }, (_, index) => ({ module: 'm', key: `BULK_${index}` }))

const texts = (count: number, languages: readonly string[], value: string): readonly object[] =>
  languages.flatMap((language) => keys(count).map((one) => ({ ...one, language, value })))

/** Control operations that change as many messages as they are given. */
export const controlWrites: Readonly<
  Record<string, (count: number) => readonly [method: string, path: string, body: unknown]>
> = {
  'sets texts': (count) => ['PUT', '/texts', texts(count, ['en'], `a ${count}`)],
  'sets them again': (count) => ['PUT', '/texts', texts(count, ['en'], `b ${count}`)],
  'sets translations': (count) => ['PUT', '/texts', texts(count, ['de'], `c ${count}`)],
  'saves drafts': (count) => ['PUT', '/drafts', texts(count, ['en', 'fr'], `d ${count}`)],
  'saves them again': (count) => ['PUT', '/drafts', texts(count, ['en', 'fr'], `e ${count}`)],
  'reviews them': (count) => [
    'PUT',
    '/states',
    keys(count).map((one) => ({
      ...one,
      language: 'fr',
      expected: `e ${count}`,
      state: 'reviewed',
    })),
  ],
  'publishes them': () => ['POST', '/publish', { selection: { modules: ['m'] }, reason: 'bulk' }],
}
