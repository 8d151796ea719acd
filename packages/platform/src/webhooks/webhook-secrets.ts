import { openSecret, sealSecret } from '../tools/seal-secret.ts'
import type { TokenPlace } from '../tools/seal-token.ts'

/** Secrets of a webhook: `header` is compared by the receiver, `signing` signs messages. */
type WebhookSecret = 'header' | 'signing'

const placeOf = (projectId: number, kind: WebhookSecret): TokenPlace => ({
  projectId,
  toolId: '',
  kind,
})

/** Encrypts a secret of a project's webhook for the database. */
export const sealWebhookSecret = (
  text: string,
  kind: WebhookSecret,
  projectId: number,
  parts: {
    readonly secret: string | undefined
    readonly randomBytes: (count: number) => Buffer
  },
): string => sealSecret(text, parts.secret, placeOf(projectId, kind), parts.randomBytes)

/**
 * Decrypts the result of {@link sealWebhookSecret}; undefined if the platform's secret has
 * changed.
 */
export const openWebhookSecret = (
  stored: string,
  kind: WebhookSecret,
  projectId: number,
  secret: string | undefined,
): string | undefined => openSecret(stored, secret, placeOf(projectId, kind))
