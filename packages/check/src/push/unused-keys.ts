import type { KeyId, Model } from '@servicekit/catalog'
import type { SnapshotFolder } from '../check/catalog-findings.ts'
import { usageFindings } from '../check/usage-findings.ts'
import type { SourceFile } from '../usage/read-sources.ts'
import type { UsageReport } from '../usage/usage.ts'

/**
 * Returns the keys that no code uses, as `check` reports them: not those that appear as a
 * string in code, nor those of modules of which code may use any key.
 */
export function unusedKeys(
  model: Model,
  usage: UsageReport,
  folder: SnapshotFolder,
  sources: readonly SourceFile[],
): readonly KeyId[] {
  return usageFindings(model, usage, folder, sources)
    .filter(({ rule }) => rule === 'unused')
    .flatMap(({ module = '', key = '' }) => keysOfMessage(model, { module, key }))
}

/** Returns the keys of a message: all forms of a plural. */
export function keysOfMessage({ modules }: Model, { module, key }: KeyId): readonly KeyId[] {
  const messages = modules.find(({ name }) => name === module)?.messages
  const group = messages?.find((message) => message.key === key)?.group
  const forms = group?.plural?.values() ?? [key]
  const keys = group?.base === undefined ? [...forms] : [group.base, ...forms]
  return keys.map((one) => ({ module, key: one }))
}
