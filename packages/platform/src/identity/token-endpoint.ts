import { callNode } from '../http/call-node.ts'
import type { AuthorizationServer } from './identity.ts'

/** Response of the token endpoint. */
export interface TokenResponse {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends a request to the authorization server. */
export const callServer = (
  { provider, issuer }: AuthorizationServer,
  request: Request,
  path: string,
  body?: string,
): Promise<Response> => {
  const url = new URL(request.url)
  const address = new URL(`${issuer.pathname}${path}${url.search}`, issuer)
  const target = { url: address, mountPath: issuer.pathname }
  return callNode(provider.callback(), request, target, body)
}

/** Calls the token endpoint. */
export async function callTokenEndpoint(
  server: AuthorizationServer,
  form: URLSearchParams,
): Promise<TokenResponse> {
  const request = new Request(`${server.issuer.href}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  })
  const response = await callServer(server, request, '/token', form.toString())
  return { status: response.status, body: (await response.json()) as TokenResponse['body'] }
}
