import type { tools } from '@servicekit/contract/control'

/** Settings that an authorization-code flow needs. */
export type CodeFlowAuth = Extract<tools.ToolAuth, { type: 'oauth2' }> &
  Readonly<Record<'authorizationUrl' | 'tokenUrl' | 'clientId' | 'redirectUri', string>>

/** Returns the settings of an authorization-code flow, or why the tool has none (4.8). */
export function codeFlowOf(auth: tools.ToolAuth): CodeFlowAuth | { readonly error: string } {
  if (auth.type !== 'oauth2') return { error: 'The tool does not use OAuth2.' }
  if (auth.grantType !== 'AUTHORIZATION_CODE') {
    return { error: 'The grant type of the tool is not AUTHORIZATION_CODE.' }
  }
  const { redirectUri, authorizationUrl, tokenUrl, clientId } = auth
  if (redirectUri === undefined) return { error: 'The tool has no redirect URI.' }
  if (authorizationUrl === undefined || tokenUrl === undefined || clientId === undefined) {
    return { error: 'The tool has no authorization URL, token URL or client id.' }
  }
  return { ...auth, redirectUri, authorizationUrl, tokenUrl, clientId }
}
