import { openSecret, sealSecret } from '../tools/seal-secret.ts'
import type { TokenPlace } from '../tools/seal-token.ts'

/** The secrets of a webhook: what its receiver compares, and what messages are signed with. */
type WebhookSecret = 'header' | 'signing'

const placeOf = (projectId: number, kind: WebhookSecret): TokenPlace => ({
  projectId,
  toolId: '',
  kind,
})

/** A secret of a project's webhook as the database keeps it. */
export const sealWebhookSecret = (
  text: string,
  kind: WebhookSecret,
  projectId: number,
  parts: {
    readonly secret: string | undefined
    readonly randomBytes: (count: number) => Buffer
  },
): string => sealSecret(text, parts.secret, placeOf(projectId, kind), parts.randomBytes)

/** Reads what {@link sealWebhookSecret} made; undefined where the platform has another secret. */
export const openWebhookSecret = (
  stored: string,
  kind: WebhookSecret,
  projectId: number,
  secret: string | undefined,
): string | undefined => openSecret(stored, secret, placeOf(projectId, kind))
