import { webhooks as wire } from '@servicekit/contract'
import { json } from '../http/responses.ts'
import { serve } from '../http/mount.ts'
import { saveWebhook } from './save-webhook.ts'

/** SaveWebHook of section 4.7. */
export const webhookOperations = [
  serve(wire.save, async ({ services, project, body }) =>
    json(await saveWebhook(services, project, body)),
  ),
]
