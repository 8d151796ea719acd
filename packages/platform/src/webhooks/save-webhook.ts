import { webhooks as wire } from '@servicekit/contract'
import { eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { implement } from '../http/mount.ts'
import { json } from '../http/responses.ts'
import { addressProblem } from '../outgoing/address-filter.ts'
import type { Project } from '../database/project-directory.ts'
import { stringProblem } from '@servicekit/core'
import type { Services } from '../services.ts'
import { webhooks } from '../database/tables.ts'
import { createSigningSecret } from './webhook-signature.ts'
import { type SecretContext, decrypt, encrypt } from '../secrets.ts'

/**
 * Context in which a secret of a project's webhook is encrypted: `header` is compared by the
 * receiver, `signing` signs messages.
 */
export const webhookContext = (projectId: number, kind: 'header' | 'signing'): SecretContext => [
  projectId,
  'webhook',
  kind,
]

/** SaveWebHook of section 4.7. */
export const webhookOperations = [
  implement(wire.save, async ({ services, project, body }) =>
    json(await saveWebhook(services, project, body)),
  ),
]

/**
 * Saves the one webhook of a project. Without an `itemId`, or with an unknown one, a new
 * webhook replaces the existing one. An update keeps a secret that it does not mention, because
 * nobody can read it, unless the URL leads to another origin, which must not learn it.
 */
export async function saveWebhook(
  { database, options, secret: platformSecret }: Services,
  project: Project,
  webhook: wire.Webhook,
): Promise<wire.WebhookSaved> {
  const validationErrors = validate(webhook, project, options.outgoing)
  if (Object.keys(validationErrors).length > 0) {
    const errorMessage = Object.values(validationErrors).flat().join(' ')
    return { success: false, errorMessage, validationErrors }
  }
  const { url, contentType, isDisabled, serviceWebhookSecret: given } = webhook
  const encryptAs = async (kind: 'header' | 'signing', text: string): Promise<string> =>
    encrypt(text, await platformSecret(), webhookContext(project.id, kind))
  const row = {
    itemId: webhook.itemId || options.newId(),
    url,
    contentType,
    isDisabled,
    updatedAt: options.now(),
  }
  const headerKey = given?.headerKey
  const secret = given?.secret ? await encryptAs('header', given.secret) : given?.secret
  const whole = { headerKey: headerKey || null, secret: secret || null }
  const mentioned = {
    ...(headerKey != null && { headerKey: whole.headerKey }),
    ...(secret != null && { secret: whole.secret }),
  }
  const created = {
    createdAt: row.updatedAt,
    signingSecret: await encryptAs('signing', createSigningSecret()),
  }
  await database.scoped(project.id, async (tables) => {
    // Locked: a concurrent update must not set a secret for the URL that was read here.
    const [existing] = await tables
      .select()
      .from(webhooks)
      .where(eq(webhooks.itemId, row.itemId))
      .for('update')
    await tables
      .insert(webhooks)
      .values({ projectId: project.id, ...row, ...whole, ...created })
      .onConflictDoUpdate({
        target: webhooks.projectId,
        set: {
          ...row,
          ...(existing && isSameOrigin(existing.url, url) ? mentioned : whole),
          ...(!existing && created),
        },
      })
  })
  return { success: true, errorMessage: null, validationErrors: null }
}

const isSameOrigin = (one: string, other: string): boolean =>
  new URL(one).origin === new URL(other).origin

/**
 * Reads the project's webhook without its secret. `signingSecret` is null if it was encrypted
 * with another platform secret.
 */
export async function readWebhook(
  tables: Tables,
  { id, key }: Project,
  platformSecret: string | undefined,
) {
  const [row] = await tables.select().from(webhooks)
  if (!row) return undefined
  const { itemId, url, contentType, isDisabled, headerKey, secret, createdAt, updatedAt } = row
  const signingContext = webhookContext(id, 'signing')
  return {
    itemId,
    createDate: createdAt.toISOString(),
    lastUpdateDate: updatedAt.toISOString(),
    url,
    contentType,
    isDisabled,
    projectKey: key,
    headerKey,
    hasSecret: secret !== null,
    signingSecret: decrypt(row.signingSecret, platformSecret, signingContext) ?? null,
  }
}

/** Returns the errors of a webhook, by member. */
function validate(
  { url, projectKey, itemId, serviceWebhookSecret: given }: wire.Webhook,
  project: Project,
  outgoing: Services['options']['outgoing'],
): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  const add = (member: string, error: string | undefined): void => {
    if (error !== undefined) (errors[member] ??= []).push(`${member}: ${error}`)
  }
  if (projectKey !== project.key) {
    add('projectKey', 'must be equal to the project key of the header.')
  }
  const { hostname, username, password } = new URL(url)
  if (username || password) {
    add('url', 'must not contain credentials; use serviceWebhookSecret instead.')
  }
  // A name is resolved when something is sent; a literal address can be checked now.
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[(.*)\]$/, '$1')
  if (/^[\d.]+$|:/.test(address)) add('url', addressProblem(address, outgoing))
  add('itemId', itemId ? stringProblem(itemId) : undefined)
  const { secret, headerKey } = given ?? {}
  if (secret && !headerKey) {
    add('serviceWebhookSecret.headerKey', 'is required for a secret.')
  }
  if (headerKey && reservedHeaders.test(headerKey)) {
    add(
      'serviceWebhookSecret.headerKey',
      `must not be ${headerKey}, which the request sets itself.`,
    )
  }
  return errors
}

/** Headers that control the request; a secret in one of them would break it. */
const reservedHeaders =
  /^(host|connection|content-type|content-length|transfer-encoding|upgrade|expect|te|trailer|user-agent|webhook-(id|timestamp|signature))$/i
