import { route } from './define.ts'

/**
 * Saves the webhook of the project. Without an `itemId` it makes a new one; with it, a caller may
 * repeat it.
 * @see section 4.7
 */
export const webhooksSave = /* @__PURE__ */ route({
  id: 'webhooks.save',
  method: 'POST',
  path: '/uilm/v1/Config/SaveWebHook',
  body: 'json',
  effect: 'create',
  section: '4.7',
})
