import { createHmac } from 'node:crypto'

interface SignedMessage {
  readonly id: string
  readonly at: Date
  readonly body: string
}

export const secretPrefix = 'whsec_'

/**
 * Returns the headers of Standard Webhooks: an id that is the same in every attempt, the
 * time of the attempt, and a signature over both and the body.
 *
 * @param secret `whsec_` and the key in base64.
 * @see https://www.standardwebhooks.com
 */
export function signatureHeaders(
  secret: string,
  { id, at, body }: SignedMessage,
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
