import { z } from 'zod'
import { access } from '../operation.ts'
import { Webhook, WebhookSaved } from '../webhooks.ts'
import { defineControl } from './define.ts'
import { type DeepReadonly, integer, rowId, time } from './values.ts'

/** Webhook of a project, without its secret. */
export const WebhookRecord = z.object({
  itemId: z.string(),
  createDate: time,
  lastUpdateDate: time,
  url: z.string(),
  contentType: z.string(),
  isDisabled: z.boolean(),
  projectKey: z.string(),
  headerKey: z.string().nullable(),
  hasSecret: z.boolean(),
  signingSecret: z
    .string()
    .nullable()
    .optional()
    .describe('Only for the operator; null if it was encrypted with another platform secret'),
})
export type WebhookRecord = DeepReadonly<z.infer<typeof WebhookRecord>>

export const read = defineControl('webhook.read', 'GET /projects/{project}/webhook', {
  summary: 'Read the webhook; null if there is none',
  access: access.developing,
  result: WebhookRecord.nullable(),
})

export const save = defineControl('webhook.save', 'PUT /projects/{project}/webhook', {
  summary: 'Save the webhook',
  description: 'Responds with `success: false` and the errors if it is refused.',
  access: access.developing,
  body: Webhook,
  result: WebhookSaved,
})

const states = ['pending', 'delivered', 'failed', 'skipped'] as const

const Attempt = z.object({
  at: time,
  url: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  durationMs: z.number(),
})

const Headers = z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable()

export const Delivery = z.object({
  id: z.int(),
  messageId: z.string(),
  kind: z.string(),
  state: z.enum(states),
  createdAt: time,
  nextAttemptAt: time.nullable().describe('Null if there is no further attempt'),
  body: z.unknown(),
  attempts: z.array(Attempt),
})
export type Delivery = DeepReadonly<z.infer<typeof Delivery>>

/** Delivery with what each attempt sent and received. */
export const DeliveryDetails = Delivery.extend({
  attempts: z.array(
    Attempt.extend({
      requestHeaders: Headers,
      responseHeaders: Headers,
      responseBody: z.string().nullable().describe('The first 2,048 characters'),
    }),
  ),
})
export type DeliveryDetails = DeepReadonly<z.infer<typeof DeliveryDetails>>

export const listDeliveries = defineControl(
  'webhook.listDeliveries',
  'GET /projects/{project}/deliveries',
  {
    summary: 'List deliveries with every attempt, the newest first',
    access: access.developing,
    query: z.object({ limit: integer(0, 50, 500), state: z.enum(states).optional() }),
    result: z.array(Delivery),
  },
)

export const readDelivery = defineControl(
  'webhook.readDelivery',
  'GET /projects/{project}/deliveries/{id}',
  {
    summary: 'Read a delivery with what each attempt sent and received',
    access: access.developing,
    params: { id: rowId },
    result: DeliveryDetails,
    errors: { 404: 'there is no such delivery' },
  },
)

export const replayDelivery = defineControl(
  'webhook.replayDelivery',
  'POST /projects/{project}/deliveries/{id}/replay',
  {
    summary: 'Deliver again, with the same message id',
    access: access.developing,
    params: { id: rowId },
    result: z.object({ id: z.int() }),
    status: 202,
    errors: { 404: 'there is no such delivery, or it is in progress' },
  },
)
