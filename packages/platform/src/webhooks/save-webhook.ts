import type { webhooks as wire } from '@servicekit/contract'
import { sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import type { Tables } from '../database/database.ts'
import { decrypt, encrypt, type SecretContext } from '../identity/secrets.ts'
import { addressProblem } from '../outgoing/address-filter.ts'
import { instant } from '../queue/jobs.ts'
import type { Project } from '../projects/project-directory.ts'
import { stringProblem } from '../projects/storable.ts'
import type { Services } from '../services.ts'
import { secretPrefix } from './sign.ts'

/** Errors of a webhook, by member. */
export type WebhookFaults = Readonly<Record<string, readonly string[]>>

/** Webhook as the console shows it: without the secret, with the key for checking signatures. */
export interface ShownWebhook extends Omit<wire.Webhook, 'serviceWebhookSecret'> {
  readonly headerKey: string | null
  readonly hasSecret: boolean
  /** Null if it was encrypted with another platform secret. */
  readonly signingSecret: string | null
}

/**
 * Context in which a secret of a project's webhook is encrypted: `header` is compared by the
 * receiver, `signing` signs messages.
 */
export const webhookContext = (projectId: number, kind: 'header' | 'signing'): SecretContext => [
  projectId,
  'webhook',
  kind,
]

/** Length of a signing key in bytes. */
const keyBytes = 24

/**
 * Saves the one webhook of a project. Without an `itemId`, or with an unknown one, a new
 * webhook replaces the existing one.
 *
 * @returns the errors of the webhook, or undefined when it is saved.
 */
export async function saveWebhook(
  services: Services,
  project: Project,
  webhook: wire.Webhook,
): Promise<WebhookFaults | undefined> {
  const { database, options } = services
  const faults = faultsOf(webhook, project, services)
  if (Object.keys(faults).length > 0) return faults
  const { url, contentType, isDisabled, serviceWebhookSecret: given } = webhook
  const itemId = webhook.itemId || options.newId()
  const key = `${secretPrefix}${randomBytes(keyBytes).toString('base64')}`
  const platformSecret = await services.secret()
  const signingSecret = encrypt(key, platformSecret, webhookContext(project.id, 'signing'))
  const secret = given?.secret
    ? encrypt(given.secret, platformSecret, webhookContext(project.id, 'header'))
    : null
  const now = instant(options.now())
  await database.scoped(project.id, (tables) =>
    tables.execute(sql`
      insert into servicekit.webhooks as old (project_id, item_id, url, content_type, secret,
        header_key, is_disabled, signing_secret, created_at, updated_at)
      values (${project.id}::int, ${itemId}, ${url}, ${contentType}, ${secret},
        ${given?.headerKey || null}, ${isDisabled}, ${signingSecret}, ${now}, ${now})
      on conflict (project_id) do update set
        item_id = excluded.item_id, url = excluded.url, content_type = excluded.content_type,
        secret = excluded.secret, header_key = excluded.header_key,
        is_disabled = excluded.is_disabled, updated_at = excluded.updated_at,
        created_at = case when old.item_id = excluded.item_id
          then old.created_at else excluded.created_at end,
        signing_secret = case when old.item_id = excluded.item_id
          then old.signing_secret else excluded.signing_secret end`),
  )
  return undefined
}

/** Returns the webhook of the scope's project. */
export async function readWebhook(
  tables: Tables,
  { id, key }: Project,
  secret: string | undefined,
): Promise<ShownWebhook | undefined> {
  const { rows } = await tables.execute<{
    item_id: string
    url: string
    content_type: 'application/json'
    header_key: string | null
    has_secret: boolean
    is_disabled: boolean
    signing_secret: string
    created_at: Date
    updated_at: Date
  }>(sql`select *, secret is not null as has_secret from servicekit.webhooks`)
  const [row] = rows
  return (
    row && {
      itemId: row.item_id,
      createDate: new Date(row.created_at).toISOString(),
      lastUpdateDate: new Date(row.updated_at).toISOString(),
      url: row.url,
      contentType: row.content_type,
      isDisabled: row.is_disabled,
      projectKey: key,
      headerKey: row.header_key,
      hasSecret: row.has_secret,
      signingSecret: decrypt(row.signing_secret, secret, webhookContext(id, 'signing')) ?? null,
    }
  )
}

function faultsOf(
  { url, projectKey, itemId, serviceWebhookSecret: given }: wire.Webhook,
  project: Project,
  { options }: Services,
): WebhookFaults {
  const faults: Record<string, string[]> = {}
  const add = (member: string, fault: string | undefined): void => {
    if (fault !== undefined) (faults[member] ??= []).push(`${member}: ${fault}`)
  }
  if (projectKey !== project.key) add('projectKey', 'the project header names another project.')
  const { hostname, username, password } = new URL(url)
  if (username || password) add('url', 'credentials belong into the secret header.')
  // A name is resolved when something is sent; a literal address can be checked now.
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[(.*)\]$/, '$1')
  if (/^[\d.]+$|:/.test(address)) add('url', addressProblem(address, options.outgoing))
  add('itemId', itemId ? stringProblem(itemId) : undefined)
  const { secret, headerKey } = given ?? {}
  if (secret && !headerKey) add('serviceWebhookSecret.headerKey', 'a secret needs a header.')
  if (headerKey && reserved.test(headerKey)) {
    add('serviceWebhookSecret.headerKey', 'the request has a header of this name already.')
  }
  return faults
}

/** Headers that control the request; a secret in one of them would break it. */
const reserved =
  /^(host|connection|content-type|content-length|transfer-encoding|upgrade|expect|te|trailer|user-agent|webhook-(id|timestamp|signature))$/i
