import { isObject, parseJson } from '@servicekit/core'
import { z } from 'zod'
import { senderTo } from '../outgoing/send.ts'
import type { Services } from '../services.ts'
import type { CodeFlowAuth } from './tool.ts'

const timeoutMs = 20_000

const Tokens = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string().default('Bearer'),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  expires_in: z.coerce.number().positive().optional(),
})
export type Tokens = z.infer<typeof Tokens>

export type TokenResponse =
  | { readonly tokens: Tokens; readonly error?: undefined }
  | {
      readonly error: string
      /** True if the server rejected the grant itself, so that retrying cannot succeed. */
      readonly isRejected: boolean
    }

/** Requests tokens from a tool's token URL, with the tool's client credentials. */
export async function requestToken(
  { options }: Pick<Services, 'options'>,
  auth: CodeFlowAuth,
  grant: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const { clientId, clientSecret, tokenUrl } = auth
  const isBasic = clientSecret !== undefined && auth.tokenAuthMethod !== 'client_secret_post'
  const form = new URLSearchParams({
    ...grant,
    ...(isBasic ? {} : { client_id: clientId }),
    ...(isBasic || clientSecret === undefined ? {} : { client_secret: clientSecret }),
  })
  const encoded = [clientId, clientSecret ?? ''].map((part) => encodeURIComponent(part)).join(':')
  try {
    const { status, text } = await senderTo(options.outgoing)({
      method: 'POST',
      url: tokenUrl,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(isBasic ? { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` } : {}),
      },
      body: form.toString(),
      timeoutMs,
    })
    if (status !== 200) {
      return {
        error: `the server responded with status ${status}`,
        isRejected: isInvalidGrant(text),
      }
    }
    const tokens = Tokens.safeParse(parseJson(text))
    return tokens.success
      ? { tokens: tokens.data }
      : { error: 'the response has no access token', isRejected: false }
  } catch (error) {
    return { error: (error as Error).message, isRejected: false }
  }
}

function isInvalidGrant(text: string): boolean {
  const body = parseJson(text)
  return isObject(body) && body['error'] === 'invalid_grant'
}
