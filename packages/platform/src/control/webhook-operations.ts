import { webhook as operations } from '@servicekit/contract/control'
import { requireFound } from '../domain-errors.ts'
import { operator } from '../http/caller.ts'
import { readDeliveries, readDelivery, replayDelivery } from '../webhooks/delivery-log.ts'
import { readWebhook, saveWebhook } from '../webhooks/save-webhook.ts'
import { implementControl } from './control-operation.ts'

/** Operations on the webhook of a project and its deliveries. */
export const webhookOperations = [
  implementControl(operations.read, async ({ services, project, caller, snapshot }) => {
    const secret = await services.secret()
    const webhook = await snapshot((tables) => readWebhook(tables, project, secret))
    if (!webhook) return null
    const { signingSecret, ...rest } = webhook
    // Only the operator reads the secret that signs webhooks.
    return caller === operator ? { ...rest, signingSecret } : rest
  }),
  implementControl(operations.save, ({ services, project, body }) =>
    saveWebhook(services, project, body),
  ),
  implementControl(operations.listDeliveries, ({ query, snapshot }) =>
    snapshot((tables) => readDeliveries(tables, query)),
  ),
  implementControl(operations.readDelivery, async ({ path, snapshot }) => {
    const delivery = await snapshot((tables) => readDelivery(tables, path.id))
    requireFound(delivery !== undefined, 'delivery')
    return delivery
  }),
  implementControl(operations.replayDelivery, async ({ services, project, path, transaction }) => {
    const { id } = path
    const isReplayed = await transaction((tables) =>
      replayDelivery(tables, project.id, id, services.options.now()),
    )
    requireFound(isReplayed, 'delivery, or it is in progress')
    services.queue.wake()
    return { id }
  }),
]
