import { createPlatform, type LogEntry } from '@servicekit/platform'
import { controlOperations } from '@servicekit/contract/control'
import { fileURLToPath } from 'node:url'
import { isDeep } from '@servicekit/testing/is-deep'
import { describe, expect, it } from 'vitest'
import { hostileText, mutated } from '../../platform/test/random/hostile.ts'
import { type Random, randomOf } from '@servicekit/testing/random'
import { withConsole } from '../src/server/index.ts'
import { createConsoleBrowser, signIn } from './console-browser.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const key = 'P5c1e7a90d2f84b6e8a3f9d41'
const origin = 'http://platform.local'
const controlToken = 'the control token of this test'

const total = isDeep ? 20_000 : 1200
const seed = Number(process.env['SERVICEKIT_SEED'] ?? (isDeep ? Date.now() % 1_000_000 : 1))
/** Number of requests before the project is loaded again, and before a new platform is opened. */
const perProject = 400
const perPlatform = 4000

interface Sent {
  readonly sender: 'anonymous' | 'administrator' | 'machine' | 'controlToken'
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Control operations such as `GET /_platform/projects/:project/tools/:id`. */
const controlled = controlOperations.map(
  ({ route }) => `${route.method} ${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
)
const own = [
  'GET /console/test-receiver',
  'POST /console/test-receiver',
  'GET /console/signed-in',
  'GET /console/:page',
  'GET /console/assets/:name',
  'POST /console/receiver/:secret',
]
const all = [...controlled, ...controlled, ...own, ...own]

/** Parts of paths that are no text, or not what they seem to be. */
const raw = [
  '%00',
  '%0a',
  '%ff',
  '%',
  '..%2f..',
  '%e2%98%83',
  '%c3%a4',
  '%20',
  ';a=b',
  '*',
  'a%2fb',
]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY']
const bodies: readonly unknown[] = [
  { project: key },
  { status: 500 },
  { advanceMs: 1000 },
  { drafts: [] },
  { overlapSeconds: 0 },
  { name: 'Tool', instructions: 'a', toolIds: [] },
  { clientId: 'c' },
  { definition: { schemaName: 'Note', fields: [{ name: 'A', type: 'String' }] } },
  { languageCode: 'it-IT', languageName: 'Italian' },
  { moduleName: 'm' },
  [{ module: 'common', key: 'A', language: 'en-US', value: 'a' }],
  [{ module: 'common', key: 'A', isRemoved: true }],
  { languages: ['de-DE'], mode: 'missing' },
  { query: '{ Products { items { Sku } } }' },
]

/** Replaces lone surrogates, which no request can carry. */
const wellFormed = (text: string): string => Buffer.from(text).toString()

function textOf(random: Random): string {
  if (random.chance(0.4)) return key
  if (random.chance(0.4)) return random.pick(raw)
  return encodeURIComponent(wellFormed(hostileText(random).slice(0, 2000)))
}

function generate(random: Random): Sent {
  const [method = 'GET', path = ''] = random.pick(all).split(' ')
  const filled = path
    .replaceAll(/:project\b/g, () => (random.chance(0.7) ? key : textOf(random)))
    .replaceAll(/:\w+|\*/g, () => textOf(random))
  const names = ['project', 'limit', 'search', 'recipient', 'page', 'state', 'code', 'since']
  // Otherwise a route waits for a mail.
  const query = ['timeoutMs=0']
  while (random.chance(0.4)) query.push(`${random.pick(names)}=${textOf(random)}`)
  const isOdd = random.chance(0.1)
  const actual = isOdd ? random.pick(methods) : method.replace('ALL', random.pick(methods))
  const headers: Record<string, string> = {}
  if (random.chance(0.7)) headers['origin'] = origin
  if (random.chance(0.1)) headers['origin'] = 'https://evil.example'
  if (random.chance(0.1))
    headers['sec-fetch-site'] = random.pick(['cross-site', 'same-origin', 'x'])
  if (random.chance(0.3)) headers['content-type'] = random.pick(['application/json', 'text/plain'])
  if (random.chance(0.2)) headers['accept-encoding'] = 'gzip'
  if (random.chance(0.1)) headers['x-service-key'] = '\u00e4'
  const body = random.chance(0.5)
    ? JSON.stringify(mutated(random.pick(bodies), random))
    : JSON.stringify(random.pick(bodies))
  return {
    sender: random.pick(['anonymous', 'administrator', 'machine', 'controlToken']),
    method: actual,
    url: `${origin}${filled}?${query.join('&')}`,
    headers,
    body:
      actual === 'GET' || actual === 'HEAD'
        ? undefined
        : random.chance(0.1)
          ? wellFormed(hostileText(random))
          : body,
  }
}

/** Platforms for other machines and for this machine, with their logs. */
async function open() {
  const entries: LogEntry[] = []
  const errors: Error[] = []
  const options = {
    seed,
    outgoing: ['loopback' as const],
    onLog: (entry: LogEntry) => void entries.push(entry),
    onError: (error: Error) => void errors.push(error),
  }
  const [team, local] = await Promise.all([
    createPlatform({ ...options, controlToken }),
    createPlatform(options),
  ])
  const guarded = withConsole(team)
  const handleLocal = withConsole(local, { allowThisMachine: true })
  const authorization = `Bearer ${controlToken}`
  const clients = [{ clientId: 'console', redirectUris: [`${origin}/console/signed-in`] }]
  let cookie = ''
  const send = ({ sender, method, url, headers, body }: Sent): Promise<Response> => {
    const request = new Request(url, {
      method,
      headers: {
        ...headers,
        ...(sender === 'administrator' && { cookie }),
        ...(sender === 'controlToken' && { authorization }),
      },
      body: body ?? null,
    })
    return sender === 'machine' ? handleLocal(request) : guarded(request)
  }
  const url = `${origin}/_platform/projects/${key}`
  return {
    entries,
    errors,
    send,
    /** Loads the project as it was, and signs the administrator in. */
    loadProject: async () => {
      const removal = { method: 'DELETE', url, headers: {}, body: undefined }
      await send({ sender: 'controlToken', ...removal })
      await send({ sender: 'machine', ...removal })
      await Promise.all([team.loadProject(storefront), local.loadProject(storefront)])
      const identity = await send({
        sender: 'controlToken',
        method: 'PUT',
        url: `${url}/identity`,
        headers: {},
        body: JSON.stringify({ clients }),
      })
      expect(identity.ok).toBe(true)
      const browser = createConsoleBrowser(guarded, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      cookie = browser.cookies()
      const session = await browser.send('/iam/v4/oidc/session', undefined, {
        'x-service-key': key,
      })
      expect(session.status).toBe(200)
    },
    hasProject: async () => {
      const keys = await Promise.all([team.projectKeys(), local.projectKeys()])
      return keys.every((one) => one.includes(key))
    },
    /** Removes the fault rules that a request added, which make others fail. */
    removeFaults: () => {
      team.faults.remove()
      local.faults.remove()
    },
    close: () => Promise.all([team.close(), local.close()]),
  }
}

describe('the console and the control routes', () => {
  it(
    `refuse ${total} generated requests without an internal error, and log each`,
    { timeout: 120_000 + total * 100 },
    async () => {
      console.log(`seed ${seed}: SERVICEKIT_SEED=${seed} sends the same requests again`)
      const random = randomOf(seed)
      const odd: string[] = []
      const statuses = new Map<number, number>()
      let world: Awaited<ReturnType<typeof open>> | undefined
      let isRemoved = false
      try {
        for (let at = 0; at < total && odd.length < 10; at++) {
          if (at % perPlatform === 0) {
            await world?.close()
            world = await open()
          }
          if (at % perProject === 0 || isRemoved) await world!.loadProject()
          const { entries, errors, send, removeFaults, hasProject } = world!
          const sent = generate(random)
          entries.length = 0
          errors.length = 0
          const found: string[] = []
          const response = await send(sent).catch((error: unknown) => {
            found.push(`threw ${String(error)}`)
            return new Response(null, { status: 599 })
          })
          removeFaults()
          isRemoved = sent.method === 'DELETE' && response.ok && !(await hasProject())
          const { status, body } = response
          // A stream of events does not end.
          await body?.cancel()
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status >= 500 && status !== 599) found.push(`responded with ${status}`)
          found.push(...errors.map(({ stack }) => `logged ${stack}`))
          const isLogged = entries.some((one) => one.event === 'request' && one.status === status)
          if (!isLogged) found.push(`logged no request with ${status}`)
          if (found.length > 0) {
            odd.push(
              `request ${at}: ${JSON.stringify(sent).slice(0, 600)}\n  ${found.join('\n  ')}`,
            )
          }
        }
      } finally {
        await world?.close()
      }
      console.log(
        [...statuses]
          .sort(([a], [b]) => a - b)
          .map((pair) => pair.join(': '))
          .join(', '),
      )
      expect(odd.join('\n\n')).toBe('')
      expect(statuses.get(200)).toBeGreaterThan(total / 20)
    },
  )
})
