/**
 * Webhooks: their configuration, which a client sends, and a receiver of events,
 * which belongs on a server.
 */
export {
  receive,
  type Receiver,
  type ReceiverOptions,
  type SeenEvents,
} from './webhook-receiver.ts'
export type { WebhookEvents, WebhookHandlers } from './webhook-events.ts'
export { disable, save, type Webhook, type WebhookCallOptions } from './webhook-config.ts'
