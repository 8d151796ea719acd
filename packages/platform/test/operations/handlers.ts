import { dataOperations } from '../../src/data/operations.ts'
import { interfaceOperations } from '../../src/app/app.ts'
import type { ImplementedOperation } from '../../src/http/mount.ts'
import { authOperations } from '../../src/identity/auth-operations.ts'
import { iamOperations } from '../../src/identity/iam-operations.ts'
import { idpOperations } from '../../src/identity/idp-operations.ts'
import { knowledgeOperations } from '../../src/knowledge/operations.ts'
import { localizationOperations } from '../../src/localization/operations.ts'
import { storageOperations } from '../../src/storage/operations.ts'
import { suggestionOperations } from '../../src/suggestions/suggest.ts'
import { toolOperations } from '../../src/tools/operations.ts'
import { webhookOperations } from '../../src/webhooks/save-webhook.ts'

const files: Readonly<Record<string, readonly ImplementedOperation[]>> = {
  'src/identity/auth-operations.ts': authOperations,
  'src/identity/iam-operations.ts': iamOperations,
  'src/identity/idp-operations.ts': idpOperations,
  'src/storage/operations.ts': storageOperations,
  'src/data/operations.ts': dataOperations,
  'src/localization/operations.ts': localizationOperations,
  'src/suggestions/suggest.ts': suggestionOperations,
  'src/webhooks/save-webhook.ts': webhookOperations,
  'src/tools/operations.ts': toolOperations,
  'src/knowledge/operations.ts': knowledgeOperations,
}

/**
 * Returns the file that registers an operation, as the application mounts it; undefined if
 * it is not mounted, or mounted more than once.
 */
export function handlerOf(id: string): string | undefined {
  const [entry, ...others] = interfaceOperations.filter(
    ({ operation }) => operation.route.id === id,
  )
  if (!entry || others.length > 0) return undefined
  return Object.keys(files).find((file) => files[file]!.includes(entry))
}
