import { isObject, parseJson, stringProblem } from '@servicekit/core'
import { z } from 'zod'
import { senderTo } from '../outgoing/send.ts'
import type { Services } from '../services.ts'
import type { CodeFlowAuth } from './tool.ts'

/** Time limit of a request to a token URL, in ms. */
const timeoutMs = 20_000

/** Longest lifetime of a token that is believed, in seconds: ten years. */
const maxLifetimeSeconds = 315_360_000

const storable = z
  .string()
  .min(1)
  .refine((text) => stringProblem(text) === undefined)

const Tokens = z.looseObject({
  access_token: storable,
  // A value that makes no sense counts as none: servers also send null, or an empty string.
  token_type: storable.catch('Bearer'),
  refresh_token: storable.optional().catch(undefined),
  scope: storable.optional().catch(undefined),
  expires_in: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.number().nonnegative().max(maxLifetimeSeconds))
    .optional()
    .catch(undefined),
})
export type Tokens = z.infer<typeof Tokens>

type TokenResponse =
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
    const body = parseJson(text)
    // Some servers send errors with status 200.
    const isRejected = isObject(body) && body['error'] === 'invalid_grant'
    if (status !== 200) return { error: `the server responded with status ${status}`, isRejected }
    const tokens = Tokens.safeParse(body)
    return tokens.success
      ? { tokens: tokens.data }
      : { error: 'the response has no access token', isRejected }
  } catch (error) {
    return { error: (error as Error).message, isRejected: false }
  }
}
