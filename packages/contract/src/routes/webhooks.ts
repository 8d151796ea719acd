import type { Route } from '../route.ts'

/**
 * Saves the webhook of the project. Without an `itemId` it creates a new one; with an
 * `itemId` the request is idempotent.
 * @see section 4.7
 */
export const webhooksSave = {
  id: 'webhooks.save',
  method: 'POST',
  path: '/uilm/v1/Config/SaveWebHook',
  body: 'json',
  effect: 'create',
} as const satisfies Route
