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

/** Result of a request to a token URL. */
export type TokenAnswer =
  | { readonly tokens: Tokens; readonly fault?: undefined }
  | {
      readonly fault: string
      /** True if the server rejected the grant itself, so that retrying cannot succeed. */
      readonly isRefused: boolean
    }

/** Requests tokens from a tool's token URL, with the tool's client credentials. */
export async function requestToken(
  { options }: Pick<Services, 'options'>,
  auth: CodeFlowAuth,
  grant: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
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
      return { fault: `the server answered ${status}`, isRefused: isInvalidGrant(text) }
    }
    const tokens = Tokens.safeParse(JSON.parse(text))
    return tokens.success
      ? { tokens: tokens.data }
      : { fault: 'the server answered without an access token', isRefused: false }
  } catch (error) {
    return { fault: (error as Error).message, isRefused: false }
  }
}

function isInvalidGrant(text: string): boolean {
  try {
    return (JSON.parse(text) as { error?: unknown } | null)?.error === 'invalid_grant'
  } catch {
    return false
  }
}
