import type { KeyId, MessageModel, Model } from '@servicekit/catalog'
import type { SnapshotFolder } from '../check/catalog-findings.ts'
import { usageFindings } from '../check/usage-findings.ts'
import { findNames, type Mention } from '../usage/find-strings.ts'
import { keysOfMessage } from '../usage/keys-of-message.ts'
import type { Sources } from '../usage/read-sources.ts'
import type { UsageReport } from '../usage/usage.ts'

/** Key that no code is known to use, and whose name a file has. */
export interface KeptKey extends KeyId {
  /** Path relative to the root, with `/` separators. */
  readonly file: string
  /** One-based. */
  readonly line: number
}

/**
 * Returns the keys that no code uses, as `check` reports them, and whose names appear nowhere in
 * the sources. The names are searched in the text of all files, so that a key which a reader of
 * code misses is kept.
 */
export function unusedKeys(
  model: Model,
  usage: UsageReport,
  folder: SnapshotFolder,
  sources: Sources,
): { readonly keys: readonly KeyId[]; readonly kept: readonly KeptKey[] } {
  const unused = usageFindings(model, usage, folder, sources)
    .filter(({ rule }) => rule === 'unused')
    .map(({ module = '', key = '' }) => ({ module, key }))
  const names = new Map(unused.map((one) => [one, namesOf(messageOf(model, one), one)]))
  const found = findNames(sources, new Set([...names.values()].flat()))
  const keys: KeyId[] = []
  const kept: KeptKey[] = []
  for (const [one, own] of names) {
    const mention = own.map((name): Mention | undefined => found.get(name)).find(Boolean)
    const all = keysOfMessage(model, one)
    if (mention) kept.push(...all.map((key) => ({ ...key, ...mention })))
    else keys.push(...all)
  }
  return { keys, kept }
}

const messageOf = ({ modules }: Model, { module, key }: KeyId): MessageModel | undefined =>
  modules.find(({ name }) => name === module)?.messages.find((one) => one.key === key)

const namesOf = (message: MessageModel | undefined, { key }: KeyId): readonly string[] => [
  key,
  ...(message ? [message.name, ...(message.group.plural?.values() ?? [])] : []),
]
