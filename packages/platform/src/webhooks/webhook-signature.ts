import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** Creates a secret to sign messages with: `whsec_` and a key in base64. */
export const createSigningSecret = (): string => secretPrefix + randomBytes(24).toString('base64')

/**
 * Returns the headers of Standard Webhooks: an id that is the same in every attempt, the
 * time of the attempt, and a signature over both and the body.
 *
 * @see https://www.standardwebhooks.com
 */
export function signatureHeaders(
  secret: string,
  { id, at, body }: Readonly<Record<'id' | 'body', string>> & { readonly at: Date },
): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
