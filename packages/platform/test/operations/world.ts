import { createPlatform, type Platform, type PlatformOptions } from '../../src/index.ts'
import { asAdministrator, machineToken } from '@servicekit/testing/administrator'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { control, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

/** Request without the project header, which is added when it is sent. */
export interface Sent {
  readonly path: string
  /** `POST` if there is a body, otherwise `GET`. */
  readonly method?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Browser whose cookies are sent. */
  readonly by?: Browser
  /**
   * Sends no credentials; otherwise a request without cookies comes from an administrator's
   * machine.
   */
  readonly isAnonymous?: boolean
  /** Key in the header; `P` unless stated, null for none. */
  readonly key?: string | null
}

interface Invited {
  readonly userId: string
  readonly email: string
  /** One-time code of the mail. */
  readonly code: string
}

/** Environment of the operations' cases: one platform with users, tools and translations. */
export interface World {
  readonly platform: Platform
  readonly send: (sent: Sent) => Promise<Response>
  /** Signed-in users: one who may change everything, and one who may only read. */
  readonly admin: Browser
  readonly member: Browser
  /** User signed in to a project whose required role this user does not have. */
  readonly outsider: Browser
  /** Signs a user in, in a new browser. */
  readonly signedIn: (name?: string) => Promise<Browser>
  /** Browser whose session has expired. */
  readonly expired: Browser
  /** Creates a user who waits for activation. */
  readonly invite: () => Promise<Invited>
  /** Uploads a file. @returns its id. */
  readonly upload: () => Promise<string>
  /** Access tokens of machines: with the administrator role, and without roles. */
  readonly token: string
  readonly plainToken: string
}

/** Suggestion quota of a client address; the cases of all operations need more than the default. */
export const suggestionsPerMinute = 500

/** Form with which a machine requests a token. */
export const machine = {
  grant_type: 'client_credentials',
  client_id: 'job',
  client_secret: 'the secret of the job',
  org_id: 'default',
}

const oauth = {
  type: 'oauth2',
  grantType: 'AUTHORIZATION_CODE',
  authorizationUrl: 'https://example.org/authorize',
  tokenUrl: 'https://example.org/token',
  clientId: 'c',
  redirectUri: 'https://app.example/tools',
}
const schema = {
  schemaName: 'Thing',
  schemaType: 1,
  querySchema: 'Things',
  mutationSchemas: ['insertThing'],
  fields: [{ name: 'Name', type: 'String', requiredOn: 'Insert' }],
}

/**
 * Opens the world; the caller closes its platform. `U` returns 422 where others return 404.
 *
 * @param location of its database: in memory by default.
 */
export async function openWorld(
  location: Pick<PlatformOptions, 'databaseUrl'> = {},
): Promise<World> {
  const platform = await createPlatform({
    ...location,
    origins: ['https://app.example'],
    suggestionsPerMinute,
    trustProxy: true,
    projects: [
      project('P', { en: { m: { A: 'a' } } }, { schemas: [schema] }),
      project('U', {}, { dialect: { toolErrors: 'unprocessable' } }),
      project('R'),
      project('T', { en: { m: { SAVE: 'Save' } }, de: { m: { SAVE: 'Speichern' } } }),
      project('N', {}, { dialect: { moduleList: 'absent' } }),
    ],
  })
  const administrator = asAdministrator(platform)
  const send = ({ path, method, query, body, form, headers, by, isAnonymous, key = 'P' }: Sent) => {
    const content = form ? new URLSearchParams(form).toString() : JSON.stringify(body)
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
    const init = {
      method: method ?? (content === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key === null ? {} : { 'x-service-key': key }),
        ...(content === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    }
    const address = query ? `${path}?${new URLSearchParams(query)}` : path
    if (by) return by.send(address, init)
    const sender = isAnonymous ? platform : administrator
    return sender.fetch(new Request(new URL(address, 'http://platform.local'), init))
  }
  await control(platform, 'P', 'PUT', '/identity', people)
  await control(platform, 'R', 'PUT', '/identity', {
    ...people,
    settings: { accessRoles: ['admin'] },
  })
  for (const key of ['P', 'U']) {
    await control(platform, key, 'PUT', '/tools/oauth', { name: 'T', auth: oauth })
    await control(platform, key, 'PUT', '/tools/plain', { name: 'T' })
  }
  const signedIn = async (name = 'ada', key = 'P') => (await signIn(platform, key, name)).browser
  const expired = await signedIn()
  await platform.fetch(
    new Request('http://platform.local/_platform/clock', {
      method: 'POST',
      body: JSON.stringify({ advanceMs: 40 * 60_000 }),
    }),
  )
  const admin = await signedIn()
  let count = 0
  return {
    platform,
    send,
    admin,
    member: await signedIn('bob@example.com'),
    outsider: await signedIn('bob@example.com', 'R'),
    signedIn,
    expired,
    token: await machineToken(platform, 'P'),
    plainToken: await machineToken(platform, 'P', []),
    invite: async () => {
      const email = `guest${++count}@example.com`
      const body = { email, userName: email, password: '', firstName: 'G', lastName: 'H' }
      const made = await send({ path: '/iam/v4/iam/users/create', body, by: admin })
      const { itemId } = (await made.json()) as { itemId: string }
      const inbox = await control(platform, 'P', 'GET', `/inbox?recipient=${email}`)
      const mails = (await inbox.json()) as { code?: string }[]
      return { userId: itemId, email, code: mails.find(({ code }) => code)!.code! }
    },
    upload: async () => {
      const presigned = await send({
        path: '/data/v4/Files/GetPreSignedUrlForUpload',
        body: { name: 'a.txt', projectKey: 'P', accessModifier: 'Public' },
      })
      const body = Object.entries((await presigned.json()) as Record<string, string>)
      // The names of both depend on the project's dialect.
      const valueOf = (names: RegExp): string => body.find(([name]) => names.test(name))![1]
      const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'a' }
      await platform.fetch(new Request(valueOf(/url$/i), put))
      return valueOf(/^(?:fileId|itemId)$/i)
    },
  }
}
