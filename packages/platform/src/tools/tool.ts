import { z } from 'zod'

const address = z.url({ protocol: /^https?$/ })

export const ToolAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('apiKey'), headerKey: z.string().min(1) }),
  z.strictObject({
    type: z.literal('oauth2'),
    grantType: z.enum(['AUTHORIZATION_CODE', 'CLIENT_CREDENTIALS']),
    authorizationUrl: address.optional(),
    tokenUrl: address.optional(),
    clientId: z.string().min(1).optional(),
    clientSecret: z.string().min(1).optional(),
    redirectUri: address.optional(),
    scopes: z.array(z.string().min(1)).optional(),
    usePkce: z.boolean().describe('True by default').optional(),
    issuer: z
      .string()
      .describe('Compared with the issuer of the response, if it has one')
      .optional(),
    tokenAuthMethod: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional(),
  }),
])
export type ToolAuth = z.infer<typeof ToolAuth>

/** Tool, as the control route accepts it. */
export const Tool = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  auth: ToolAuth.optional(),
})
export type Tool = z.infer<typeof Tool>

/** Agent, as the control route accepts it. */
export const Agent = z.strictObject({
  name: z.string().min(1),
  status: z.enum(['active', 'inactive', 'testing']).optional(),
  toolIds: z.array(z.string()).optional(),
})
export type Agent = z.infer<typeof Agent>

/** Settings that an authorization-code flow needs. */
export type CodeFlowAuth = Extract<ToolAuth, { type: 'oauth2' }> &
  Readonly<Record<'authorizationUrl' | 'tokenUrl' | 'clientId' | 'redirectUri', string>>

/** Returns the settings of an authorization-code flow, or why the tool has none (4.8). */
export function codeFlowOf(auth: ToolAuth): CodeFlowAuth | { readonly error: string } {
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
