import type { Services } from '../services.ts'
import { openAuth, sealAuth } from '../tools/store.ts'
import { ToolAuth } from '../tools/tool.ts'
import { openWebhookSecret, sealWebhookSecret } from '../webhooks/webhook-secrets.ts'

type Row = Readonly<Record<string, unknown>>
type Kind = 'header' | 'signing'

/** Columns of webhooks that hold secrets. */
const ofWebhooks: readonly (readonly [string, Kind])[] = [
  ['secret', 'header'],
  ['signing_secret', 'signing'],
]

/** Maps the secrets of a table's row, if it has any. */
function withSecrets(
  table: string,
  row: Row,
  ofWebhook: (text: string, kind: Kind) => string | null,
  ofTool: (auth: ToolAuth, toolId: string) => ToolAuth,
): Row {
  if (table === 'webhooks') {
    const changed = ofWebhooks.flatMap(([name, kind]) => {
      const text = row[name]
      return typeof text === 'string' && text !== '' ? [[name, ofWebhook(text, kind)]] : []
    })
    return { ...row, ...(Object.fromEntries(changed) as Row) }
  }
  if (table !== 'tools') return row
  const auth = ToolAuth.safeParse(row['auth'])
  return auth.success ? { ...row, auth: ofTool(auth.data, String(row['item_id'])) } : row
}

/** Decrypts a row for an export: the importing platform has another secret. */
export const openRow = (
  table: string,
  row: Row,
  projectId: number,
  secret: string | undefined,
): Row =>
  withSecrets(
    table,
    row,
    (text, kind) => openWebhookSecret(text, kind, projectId, secret) ?? null,
    (auth, toolId) => openAuth(auth, secret, { projectId, toolId }),
  )

/** Encrypts a row of an export for this database. */
export const sealRow = (
  table: string,
  row: Row,
  projectId: number,
  secret: string | undefined,
  { options: { randomBytes } }: Pick<Services, 'options'>,
): Row =>
  withSecrets(
    table,
    row,
    (text, kind) => sealWebhookSecret(text, kind, projectId, { secret, randomBytes }),
    (auth, toolId) => sealAuth(auth, secret, { projectId, toolId }, randomBytes),
  )
