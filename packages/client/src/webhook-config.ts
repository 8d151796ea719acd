import type { webhooks as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { operate } from './shapes.ts'

/** Configuration of the webhook of a project, of which there is one (section 2.6). */
export interface Webhook {
  /** Without one a new configuration is made. */
  readonly itemId?: string
  /** Where events are sent to. */
  readonly url: string
  /** Value, and the name of the header that carries it as it is. */
  readonly secret?: { readonly value: string; readonly headerKey: string }
  /** False by default. */
  readonly isDisabled?: boolean
}

/** Options of a call, and the token that it needs (section 5). */
export interface WebhookCallOptions extends CallOptions {
  /** Access token of a machine; not needed where the core has one (`@servicekit/client/server`). */
  readonly token?: string
}

/**
 * Saves the webhook. With an `itemId` the request is repeated after a passing
 * failure, without one never.
 *
 * @throws RequestError 401 for the token.
 * @throws OperationError with what is wrong of which field.
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

/** Keeps the configuration and stops deliveries. @see section 3 */
export const disable = (
  core: Core,
  webhook: Webhook & { readonly itemId: string },
  call: WebhookCallOptions = {},
): Promise<contract.WebhookSaved> => save(core, { ...webhook, isDisabled: true }, call)
