import { z } from 'zod'
import { UilmError } from './errors.ts'
import { access, defineOperation } from './operation.ts'
import * as routes from './routes.ts'

/**
 * Webhook of a project; a project has one (section 2.6). Without `itemId` a new webhook is
 * created; an unknown `itemId` creates one with that identifier.
 */
export const Webhook = z
  .object({
    itemId: z.string().nullish(),
    createDate: z.string().describe('ISO 8601').nullish(),
    lastUpdateDate: z.string().describe('ISO 8601').nullish(),
    url: z.url({ protocol: /^https?$/ }),
    contentType: z.literal('application/json'),
    serviceWebhookSecret: z
      .object({
        secret: z
          .string()
          .max(1024)
          .regex(/^(?:[!-~](?:[\t -~]*[!-~])?)?$/, 'a header cannot hold this value as it is')
          .describe('Sent unchanged')
          .nullish(),
        headerKey: z
          .string()
          .max(128)
          .regex(/^[\w!#$%&'*+.^`|~-]*$/, 'not the name of a header')
          .describe('Header that contains the secret')
          .nullish(),
      })
      .nullish(),
    isDisabled: z.boolean().describe('True keeps the configuration and disables delivery'),
    projectKey: z.string().min(1),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

/** Response of SaveWebHook. */
export const WebhookSaved = z
  .looseObject({
    success: z.boolean(),
    errorMessage: z.string().nullable(),
    validationErrors: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'WebhookSaved' })
export type WebhookSaved = z.infer<typeof WebhookSaved>

export const save = defineOperation(routes.webhooksSave, {
  section: '4.7',
  summary: 'Save the webhook of a project',
  access: access.projectAdministratorByToken,
  denied: { 403: WebhookSaved },
  body: Webhook,
  responses: {
    200: {
      description: 'Saved; or `success: false` with `validationErrors`',
      schema: WebhookSaved,
    },
    400: {
      description: 'Invalid webhook: `success: false` with `validationErrors`',
      schema: WebhookSaved,
    },
    401: { description: 'Token or project key missing or invalid', schema: UilmError },
  },
})
