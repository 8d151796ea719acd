import { webhooks as wire } from '@servicekit/contract'
import { json } from '../http/responses.ts'
import { serve } from '../http/mount.ts'

/** SaveWebHook of section 4.7. */
export const webhookOperations = [
  serve(wire.save, async ({ services, project, body }) => {
    const { saveWebhook } = await import('./save-webhook.ts')
    return json(webhookSaved(await saveWebhook(services, project, body)))
  }),
]

/** Builds the response of SaveWebHook: success, or errors by field. */
export const webhookSaved = (
  faults: Readonly<Record<string, readonly string[]>> | undefined,
): wire.WebhookSaved => ({
  success: faults === undefined,
  errorMessage: faults === undefined ? null : Object.values(faults).flat().join(' '),
  validationErrors: faults ?? null,
})
