import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { asAdministrator } from '@servicekit/testing/administrator'
import { createPlatform, type Platform, type StorageOptions } from '../src/index.ts'
import { listen } from '../src/node.ts'
import { startAzurite } from '@servicekit/testing/azurite'
import { postgres15Fault, startPostgres15 } from '@servicekit/testing/debian-postgres'
import { onEachEngine } from '@servicekit/testing/engines'
import { control, origin, password, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { startSwift, swiftFault } from '@servicekit/testing/swift'

/** Response of the script, without what differs from run to run. */
interface Line {
  readonly request: string
  readonly status: number
  readonly body: unknown
}

/** Storage of a run, by its name in the interface. */
type Strategy = 'Local' | 'Azure' | 'S3Compatible'

/** Headers that an upload to a signed address requires. */
const requiredHeaders: Readonly<Record<Strategy, object>> = {
  Local: {},
  Azure: { 'x-ms-blob-type': 'BlockBlob' },
  S3Compatible: {},
}
const timeNames = /(?:Date|At|AtUtc|Utc|Time|UTC)$/

/**
 * Replaces what differs from run to run, but only if the value matches its name: a time
 * becomes its distance from now, an id token its claims, and an address must be signed.
 */
function normaliser(strategy: Strategy) {
  const ids = numberedIds()
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
  const textOf = (value: string, name: string): unknown => {
    if (name === 'id_token') return normalise(claimsOf(value))
    if (/token$|^sessionId$/i.test(name)) return isRandom(value) ? '<random>' : value
    if (timeNames.test(name)) return distance(value)
    if (/^(?:preSignedUrl|uploadUrl|url)$/.test(name))
      return isSigned(value) ? '<signed address>' : value
    if (name === 'storageStrategy') return value === strategy ? '<strategy>' : value
    return value.replaceAll(uuid, ids)
  }
  const normalise = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return textOf(value, name)
    if (Array.isArray(value)) return value.map((one) => normalise(one, name))
    if (typeof value !== 'object' || value === null) return value
    if (name === 'requiredHeaders') {
      return isDeepStrictEqual(value, requiredHeaders[strategy])
        ? '<headers of the strategy>'
        : value
    }
    return Object.fromEntries(
      Object.entries(value)
        // Only one kind of backend needs an address for each part.
        .filter(([member]) => member !== 'multipartUrl')
        .map(([member, one]) => [member, normalise(one, member)]),
    )
  }
  return normalise
}

/** Numbers ids in order of appearance. */
function numberedIds(): (id: string) => string {
  const numbers = new Map<string, number>()
  return (id) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1)
    return `<id ${numbers.get(id)}>`
  }
}

const isRandom = (value: string): boolean => /^[\w.~+/-]{20,}=*$/.test(value)

/**
 * Returns the claims of an id token: times as distances, random ones replaced, the issuer
 * as its path.
 */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const { iat, exp, iss, ...claims } = JSON.parse(
    Buffer.from(token.split('.')[1]!, 'base64url').toString(),
  ) as Record<string, unknown>
  const shown = Object.entries(claims).map(([name, value]) => [
    name,
    typeof value === 'string' && isRandom(value) ? '<random>' : value,
  ])
  return {
    ...Object.fromEntries(shown),
    iss: new URL(iss as string).pathname,
    lifetime: (exp as number) - (iat as number),
  }
}

/** Formats a time as `<now + 15 min>`, in steps of five minutes; other strings are unchanged. */
function distance(value: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)) return value
  const minutes = Math.round((Date.parse(value) - Date.now()) / 300_000) * 5
  return minutes > 0 ? `<now + ${minutes} min>` : minutes > -10 ? '<now>' : value
}

const isSigned = (value: string): boolean =>
  URL.canParse(value) &&
  [...new URL(value).searchParams.keys()].some((name) =>
    /^(?:sig|signature|x-amz-signature)$/i.test(name),
  )

const source = project(
  'P',
  { en: { m: { A: 'a', B: null } }, de: { m: { A: 'ä' } } },
  {
    schemas: [
      {
        id: '1',
        schemaName: 'Note',
        collectionName: 'Notes',
        schemaType: 1,
        querySchema: 'Notes',
        mutationSchemas: ['insertNote'],
        fields: [{ name: 'Title', type: 'String', isArray: false }],
      } as never,
    ],
  },
)

/** Uses every part of the interface a little and returns the responses. */
async function script(platform: Platform, strategy: Strategy): Promise<readonly Line[]> {
  const lines: Line[] = []
  const normalise = normaliser(strategy)
  const server = await listen(asAdministrator(platform))
  const note = async (request: string, response: Response) => {
    const text = await response.text()
    const body = text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as never) : text
    lines.push({
      request: String(normalise(request)),
      status: response.status,
      body: normalise(body),
    })
    return body as unknown as Record<string, never>
  }
  const call = async (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    note(
      path,
      await fetch(`${server.baseUrl}${path}`, {
        headers: { 'x-service-key': 'P', 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
    )
  await note('identity', await control(platform, 'P', 'PUT', '/identity', people))
  await call('/uilm/v1/Language/Gets?ProjectKey=P')
  await call('/uilm/v1/Key/GetUilmFile?Language=de&ModuleName=m&ProjectKey=P')
  await call('/uilm/v1/Key/GetUilmFile?Language=fr&ModuleName=m&ProjectKey=P')
  const insert = 'mutation { insertNote(input: {Title: "T"}) { acknowledged itemId } }'
  await call('/data/v4/gateway', { query: insert })
  await call('/data/v4/gateway', { query: '{ Notes { items { ItemId Title } totalCount } }' })
  await call('/data/v4/gateway', { query: '{ Nothing { items { ItemId } } }' })
  const user = { email: 'n@example.com', userName: 'n', password }
  await call('/idp/v1/Iam/Create', user)
  await call('/idp/v1/Iam/Create', user)
  await call('/idp/v1/Iam/GetUsers', { sort: { property: 'email', isDescending: true } })
  await call('/iam/v4/iam/me')
  const { browser, callback } = await signIn(platform, 'P')
  await note('callback', callback)
  const withKey = { headers: { 'x-service-key': 'P' } }
  for (const path of ['/iam/v4/oidc/session', '/iam/v4/iam/me', '/iam/v4/iam/organizations']) {
    await note(path, await browser.send(path, withKey))
  }
  const renewed = await browser.send('/iam/v4/oidc/token', {
    method: 'POST',
    headers: { 'x-service-key': 'P', 'content-type': 'application/x-www-form-urlencoded', origin },
    body: 'grant_type=refresh_token&client_id=web',
  })
  await note('renewed', renewed)
  await call('/logic/v4/Storage/Gets')
  const presigned = await call('/data/v4/Files/GetPreSignedUrlForUpload', {
    name: 'a.txt',
    tags: 'x',
    accessModifier: 'Private',
  })
  const sent = await fetch(presigned['preSignedUrl']!, {
    method: 'PUT',
    headers: {
      'content-type': 'text/plain',
      ...(strategy === 'Azure' ? { 'x-ms-blob-type': 'BlockBlob' } : {}),
    },
    body: 'bytes',
  })
  lines.push({ request: 'PUT', status: sent.ok ? 200 : sent.status, body: null })
  // Looks for the bytes; a list shows those that were found.
  const { url } = await call(`/data/v4/Files/GetFile?FileId=${presigned['fileId']}`)
  await call('/data/v4/Files/GetFilesInfo', {})
  await note('download', await fetch(url!))
  const forged = await fetch(
    (url as unknown as string).replace(
      /(sig|signature)=(.)/i,
      (_, name: string, first: string) => `${name}=${first === '_' ? 'a' : '_'}`,
    ),
  )
  lines.push({ request: 'forged', status: forged.status, body: null })
  await call('/data/v4/Files/GetFile?FileId=nothing')
  await server.close()
  return lines
}

const transcripts: { readonly name: string; readonly lines: readonly Line[] }[] = []

describe('one script', () => {
  let clouds: Readonly<Record<string, StorageOptions | undefined>> = {}
  const stops: (() => Promise<void>)[] = []
  beforeAll(async () => {
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    const isMissing = (await swiftFault()) !== undefined
    const [azurite, swift] = await Promise.all([
      startAzurite(),
      isMissing ? undefined : startSwift(),
    ])
    stops.push(azurite.stop, ...(swift ? [swift.stop] : []))
    clouds = { Azure: azurite.storage, S3Compatible: swift?.storage }
  }, 400_000)
  afterAll(() => Promise.all(stops.map((stop) => stop())))

  onEachEngine((engine) => {
    const kinds: readonly Strategy[] =
      engine.name === 'PGlite' ? ['Local'] : ['Local', 'Azure', 'S3Compatible']
    it.for(kinds)('runs with files in %s', async (kind, { skip }) => {
      const storage = clouds[kind]
      if (kind !== 'Local' && !storage) return skip(`There is no server for ${kind}.`)
      const platform = await createPlatform({
        ...(await engine.location()),
        storage: [storage ?? { name: 'Cloud', strategy: 'Local' }],
        projects: [source],
      })
      const lines = await script(platform, kind)
      await platform.close()
      transcripts.push({ name: `${engine.name}, ${kind}`, lines })
      expect(lines.length).toBeGreaterThan(20)
    })
  })

  it('runs on PostgreSQL 15 with local files', async ({ skip }) => {
    const fault = await postgres15Fault()
    if (fault) return skip(fault)
    const { databaseUrl, stop } = await startPostgres15()
    stops.push(stop)
    const platform = await createPlatform({
      databaseUrl,
      storage: [{ name: 'Cloud', strategy: 'Local' }],
      projects: [source],
    })
    const lines = await script(platform, 'Local')
    await platform.close()
    transcripts.push({ name: 'PostgreSQL 15, Local', lines })
    expect(lines.length).toBeGreaterThan(20)
  }, 300_000)

  it('gets the same responses with every database and storage', () => {
    const [first, ...others] = transcripts
    expect(others.length).toBeGreaterThan(0)
    expect(first!.lines.map(({ status }) => status)).toContain(401)
    for (const { name, lines } of others) expect(lines, name).toEqual(first!.lines)
    expect(first!.lines).toMatchSnapshot()
  })
})
