/** Project of the servers in `platform-throughput`, and the requests that they receive. */
import { createHash } from 'node:crypto'

export const projectKey = 'bench'

/** Expiry of sessions, later than the end of any measurement. */
export const sessionExpiry = '2099-01-01T00:00:00.000Z'

/**
 * Signed-in users, which send requests in turn. Whoever creates an organization becomes a
 * member of it, so a single user would be a member of thousands.
 */
export const sessions = Array.from({ length: 200 }, (_, index) => ({
  token: `bench-session-token-${index}`,
  userId: `user-${index}`,
}))

const records = 200

export const project = {
  projectKey,
  name: 'Bench',
  organizationId: 'org',
  fallback: 'en-US',
  languages: [{ itemId: 'en', languageCode: 'en-US', languageName: 'English', isDefault: true }],
  identity: {
    clients: [{ clientId: 'web', redirectUris: ['http://localhost:5173/callback'] }],
    users: sessions.map(({ userId }) => ({
      itemId: userId,
      email: `${userId}@example.com`,
      firstName: 'Ada',
      roles: ['admin'],
    })),
  },
  schemas: [
    {
      id: 'note',
      schemaName: 'Note',
      collectionName: 'Notes',
      schemaType: 1,
      readAccessLevel: 2,
      writeAccessLevel: 2,
      querySchema: 'Notes',
      mutationSchemas: ['insertNote'],
      fields: [
        { name: 'Title', type: 'String', requiredOn: 'Insert' },
        { name: 'Text', type: 'String' },
        { name: 'Stars', type: 'Int' },
      ],
    },
  ],
  records: {
    Note: Array.from({ length: records }, (_, index) => ({
      ItemId: `note-${index}`,
      Title: `Note ${index}`,
      Text: 'A text of some words, as people write them.',
      Stars: index % 6,
    })),
  },
}

const cookie = `sk_access_${createHash('sha256').update(projectKey).digest('hex').slice(0, 12)}`

/** Cookie header of each signed-in user. */
export const cookies = sessions.map(({ token }) => `${cookie}=${token}`)

const headers = {
  'x-service-key': projectKey,
  'content-type': 'application/json',
  cookie: String(cookies[0]),
}

/**
 * Request that is sent repeatedly. The bare handler serves it at the same URL.
 *
 * @typedef {object} Target
 * @property {string} method
 * @property {string} path
 * @property {Readonly<Record<string, string>>} headers
 * @property {string} [body]
 * @property {string} expect string that every response contains
 */

/** @type {Readonly<Record<'create' | 'read' | 'list' | 'insert', Target>>} */
export const targets = {
  create: {
    method: 'POST',
    path: '/iam/v4/iam/organizations/create',
    headers,
    body: JSON.stringify({ name: 'An organization', description: 'Created by the benchmark' }),
    expect: '"isSuccess":true',
  },
  read: { method: 'GET', path: '/iam/v4/iam/me', headers, expect: '@example.com"' },
  list: {
    method: 'POST',
    path: '/data/v4/gateway',
    headers,
    body: JSON.stringify({
      query:
        'query ($stars: Int) { Notes(where: {Stars: {eq: $stars}}, paging: {pageNo: 1, pageSize: 10}) { items { ItemId CreatedDate Title Text Stars } } }',
      variables: { stars: 3 },
    }),
    expect: '"Note 3"',
  },
  insert: {
    method: 'POST',
    path: '/data/v4/gateway',
    headers,
    body: JSON.stringify({
      query:
        'mutation ($input: NoteInsertInput) { insertNote(input: $input) { acknowledged itemId } }',
      variables: { input: { Title: 'A new note', Text: 'A text of some words.', Stars: 9 } },
    }),
    expect: '"acknowledged":true',
  },
}
