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

/** Returns a command that sends the request with a token from the environment. */
export function curlOf({ origin, projectKey, method, path, body }: RequestCode): string {
  return [
    `curl ${method === undefined || method === 'GET' ? '' : `-X ${method} `}${quotedForShell(origin + path)}`,
    `-H ${quotedForShell(`x-service-key: ${projectKey}`)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quotedForShell(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

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
    `      authorization: \`Bearer \${process.env.TOKEN}\`,`,
    ...(body === undefined ? [] : [`      'content-type': 'application/json',`]),
    `    },`,
    ...(body === undefined ? [] : [`    body: JSON.stringify(${JSON.stringify(body)}),`]),
    `  })`,
    `  expect(response.status).toBe(${status})`,
    `})`,
    ``,
  ].join('\n')
}

const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
