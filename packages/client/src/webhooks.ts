/** Webhooks: configuration, sent by a client, and an event receiver for servers. */
export {
  receive,
  type Receiver,
  type ReceiverOptions,
  type SeenEvents,
} from './webhook-receiver.ts'
export type { WebhookEvents, WebhookHandlers } from './webhook-events.ts'
export { disable, save, type Webhook, type WebhookCallOptions } from './webhook-config.ts'
