import { webhooks } from '@servicekit/contract'
import { webhookSaved } from '../webhooks/operations.ts'
import { type Control, numberOf, onProject, Refused } from './control.ts'

/** Routes that read and save a project's webhook, list its deliveries and replay them. */
export function webhookRoutes(control: Control): void {
  onProject(control, 'GET', '/webhook', async ({ services, project }) => {
    const { readWebhook } = await import('../webhooks/save-webhook.ts')
    const secret = await services.secret()
    const webhook = await services.database.scoped(project.id, (tables) =>
      readWebhook(tables, project, secret),
    )
    if (!webhook) throw new Refused(404, 'The project has no webhook.')
    return webhook
  })
  onProject(control, 'PUT', '/webhook', async ({ services, project, read }) => {
    const { saveWebhook } = await import('../webhooks/save-webhook.ts')
    return webhookSaved(await saveWebhook(services, project, await read(webhooks.Webhook)))
  })
  onProject(control, 'GET', '/deliveries', async ({ services, project, query }) => {
    const { readDeliveries } = await import('../webhooks/delivery-log.ts')
    const limit = numberOf(query['limit'], 50, 500)
    return services.database.scoped(project.id, (tables) => readDeliveries(tables, limit))
  })
  onProject(
    control,
    'POST',
    '/deliveries/:id/replay',
    async ({ services, project, param }) => {
      const { replayDelivery } = await import('../webhooks/delivery-log.ts')
      const id = numberOf(param('id'), 0, Number.MAX_SAFE_INTEGER)
      const isReplayed = await services.database.scoped(project.id, (tables) =>
        replayDelivery(tables, project.id, id, services.options.now()),
      )
      if (!isReplayed) throw new Refused(404, 'There is no such delivery, or it is under way.')
      services.queue.wake()
      return { id }
    },
    202,
  )
}
