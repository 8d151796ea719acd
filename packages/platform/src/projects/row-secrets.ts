import { clientSecretContext, mapClientSecret } from '../tools/store.ts'
import { tools } from '@servicekit/contract/control'
import { webhookContext } from '../webhooks/save-webhook.ts'
import type { SecretContext } from '../secrets.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * Maps the secrets in a row of the table `webhooks` or `tools`: decrypts them for an export,
 * because the importing platform has another secret, and encrypts them for this database.
 */
export function mapRowSecrets(
  table: string,
  row: Row,
  projectId: number,
  change: (text: string, context: SecretContext) => string | undefined,
): Row {
  if (table === 'webhooks') {
    const column = (name: string, kind: 'header' | 'signing'): Row => {
      const text = row[name]
      if (typeof text !== 'string' || text === '') return {}
      return { [name]: change(text, webhookContext(projectId, kind)) ?? null }
    }
    return { ...row, ...column('secret', 'header'), ...column('signing_secret', 'signing') }
  }
  const auth = table === 'tools' ? tools.ToolAuth.safeParse(row['auth']).data : undefined
  if (!auth) return row
  const context = clientSecretContext(projectId, String(row['item_id']))
  return { ...row, auth: mapClientSecret(auth, (text) => change(text, context)) }
}
