/** Request that is copied as code. */
export interface RequestCode {
  readonly origin: string
  readonly projectKey: string
  /** GET without a body and POST with one by default. */
  readonly method?: string | undefined
  /** Path of the operation, with its query. */
  readonly path: string
  /** JSON body; a GET without one. */
  readonly body?: unknown
  /** Status that a test expects; 200 by default. */
  readonly status?: number | undefined
}

/** Operations for signed-in users only, which accept no token (section 5). */
const requiresSession = (path: string): boolean =>
  /^\/iam\/v4\/(?:iam|auth|oidc\/session)/.test(path)

/** Returns a command that sends the request with a token, or a session, from the environment. */
export function curlOf({ origin, projectKey, method, path, body }: RequestCode): string {
  return [
    `curl ${method === undefined || method === 'GET' ? '' : `-X ${method} `}${quotedForShell(origin + path)}`,
    `-H ${quotedForShell(`x-service-key: ${projectKey}`)}`,
    requiresSession(path) ? `-H "Cookie: $COOKIE"` : `-H "Authorization: Bearer $TOKEN"`,
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quotedForShell(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

/** Returns a command that sends a JSON body with these headers to any URL. */
export const curlTo = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): string =>
  [
    `curl ${quotedForShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quotedForShell(`${name}: ${value}`)}`),
    `-d ${quotedForShell(JSON.stringify(body))}`,
  ].join(' \\\n  ')

/** Returns a test that sends the request and expects its status. */
export function testOf({
  origin,
  projectKey,
  path,
  body,
  method = body === undefined ? 'GET' : 'POST',
  status = 200,
}: RequestCode): string {
  return [
    `import { expect, it } from 'vitest'`,
    ``,
    `it(${quoted(`responds to ${method} ${path.split('?')[0]} with ${status}`)}, async () => {`,
    `  const response = await fetch(${quoted(origin + path)}, {`,
    ...(method === 'GET' ? [] : [`    method: ${quoted(method)},`]),
    `    headers: {`,
    `      'x-service-key': ${quoted(projectKey)},`,
    requiresSession(path)
      ? `      cookie: \`\${process.env.COOKIE}\`,`
      : `      authorization: \`Bearer \${process.env.TOKEN}\`,`,
    ...(body === undefined ? [] : [`      'content-type': 'application/json',`]),
    `    },`,
    ...(body === undefined ? [] : [`    body: JSON.stringify(${JSON.stringify(body)}),`]),
    `  })`,
    `  expect(response.status).toBe(${status})`,
    `})`,
    ``,
  ].join('\n')
}

/**
 * Returns a module with a statement that calls the client (`client.…`) or a generated helper
 * (`const result = await listProducts(gateway, …)`). A module is returned unchanged.
 */
export function moduleOf(
  { origin, projectKey }: Pick<RequestCode, 'origin' | 'projectKey'>,
  code: string,
): string {
  if (code.startsWith('import ')) return code
  const options = `{ baseUrl: ${quoted(origin)}, projectKey: ${quoted(projectKey)} }`
  const helper = /^const result = await (\w+)\(gateway\b/.exec(code)?.[1]
  const lines =
    helper === undefined
      ? [
          `import { createClient } from '@servicekit/client'`,
          ``,
          `const client = createClient(${options})`,
        ]
      : [
          `import { createGateway, ${helper} } from './gateway/index.js'`,
          ``,
          `const gateway = createGateway(${options})`,
        ]
  return [...lines, code, ''].join('\n')
}

const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
