import type { Platform } from '@servicekit/platform'

type Fetching = Pick<Platform, 'fetch'>

const origin = 'http://platform.local'
/** Secret of the machine clients. */
export const clientSecret = 'the secret of the administrator'

/**
 * Adds a machine client to the project and returns an access token for it.
 *
 * @param roles `admin` unless stated.
 */
export async function machineToken(
  platform: Fetching,
  key: string,
  roles: readonly string[] = ['admin'],
  organizationId = 'default',
): Promise<string> {
  const clientId = ['test', ...roles].join('-')
  const client = { clientId, clientSecret, roles }
  const added = await platform.fetch(
    new Request(`${origin}/_platform/projects/${encodeURIComponent(key)}/identity`, {
      method: 'PUT',
      body: JSON.stringify({ clients: [client] }),
    }),
  )
  if (!added.ok) throw new Error(`Cannot add a client to ${key}: ${await added.text()}`)
  const issued = await platform.fetch(
    new Request(`${origin}/iam/v4/oidc/token`, {
      method: 'POST',
      headers: { 'x-service-key': key, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        org_id: organizationId,
      }).toString(),
    }),
  )
  if (!issued.ok) throw new Error(`Cannot get a token of ${key}: ${await issued.text()}`)
  const { access_token: snake, accessToken = snake } = (await issued.json()) as Record<
    string,
    string
  >
  return accessToken!
}

/** Paths of operations that tests call without credentials. */
const operations = /^\/(?:idp|logic|data|tools|kb)\//

/**
 * Wraps the platform for an administrator's machine: requests without credentials get the
 * token of an administrator of their project.
 */
export function asAdministrator<P extends Fetching>(platform: P): P {
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (key: string, isAgain: boolean): Promise<string> => {
    const known = isAgain ? undefined : tokens.get(key)
    if (known) return known
    const token = machineToken(platform, key)
    tokens.set(key, token)
    return token
  }
  const fetch: Platform['fetch'] = async (request, bindings) => {
    const url = new URL(request.url)
    const key = request.headers.get('x-service-key') ?? url.searchParams.get('project_key')
    const isOwn = ['authorization', 'cookie'].some((name) => request.headers.has(name))
    if (isOwn || !key || !operations.test(url.pathname)) return platform.fetch(request, bindings)
    const { method, signal } = request
    const body = request.body && (await request.arrayBuffer())
    const send = async (token: string): Promise<Response> => {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      return platform.fetch(new Request(request.url, { method, headers, body, signal }), bindings)
    }
    const token = await tokenOf(key, false).catch(() => undefined)
    if (token === undefined) return platform.fetch(request, bindings)
    const response = await send(token)
    // Tests advance the clock past a token's lifetime.
    return response.status === 401 ? send(await tokenOf(key, true)) : response
  }
  return { ...platform, fetch }
}
