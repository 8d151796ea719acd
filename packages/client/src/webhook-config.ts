import type { webhooks as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { operate } from './operate.ts'

/** Webhook configuration; a project has one (section 2.6). */
export interface Webhook {
  /** Id of the configuration to replace. Without it a new one is created. */
  readonly itemId?: string
  /** URL that receives events. */
  readonly url: string
  /** Shared secret, and the name of the header that carries it unmodified. */
  readonly secret?: { readonly value: string; readonly headerKey: string }
  /** Default: false. */
  readonly isDisabled?: boolean
}

/** Options of a call, with the token that it requires (section 5). */
export interface WebhookCallOptions extends CallOptions {
  /** Machine access token; not needed if the core has one (`@servicekit/client/server`). */
  readonly token?: string
}

/**
 * Saves the webhook. With an `itemId` the request is retried after a transient failure;
 * without one only if it cannot have been executed (429, or never connected).
 *
 * @throws RequestError 401 for the token.
 * @throws OperationError with the errors of each field.
 * @see section 4.7
 */
export async function save(
  core: Core,
  webhook: Webhook,
  { token, ...call }: WebhookCallOptions = {},
): Promise<contract.WebhookSaved> {
  const { itemId, url, secret, isDisabled = false } = webhook
  const json: contract.Webhook = {
    ...(itemId === undefined ? {} : { itemId }),
    url,
    contentType: 'application/json',
    ...(secret && {
      serviceWebhookSecret: { secret: secret.value, headerKey: secret.headerKey },
    }),
    isDisabled,
    projectKey: core.projectKey,
  }
  const body = await operate(core, routes.webhooksSave, {
    ...call,
    json,
    intent: 'save the webhook',
    effect: itemId === undefined ? 'create' : 'replace',
    secrets: [secret?.value],
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  })
  return body as contract.WebhookSaved
}

/**
 * Stops deliveries and keeps the configuration.
 *
 * @see section 3
 */
export const disable = (
  core: Core,
  webhook: Webhook & { readonly itemId: string },
  call: WebhookCallOptions = {},
): Promise<contract.WebhookSaved> => save(core, { ...webhook, isDisabled: true }, call)
