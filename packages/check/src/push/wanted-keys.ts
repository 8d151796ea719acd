import type { KeyDetails, KeyId } from '@servicekit/catalog'
import { withoutUndefined } from '@servicekit/core'
import type { SourceFile } from '../usage/read-sources.ts'
import type { UnknownUsage } from '../usage/usage.ts'
import { commentFor, readComments } from './comments.ts'

/** Key that code uses and that is not in the snapshot. */
export interface WantedKey extends KeyId, KeyDetails {
  /** Source text beside a use; undefined if there is none. */
  readonly text: string | undefined
  /** Position of the first use. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Source texts of a JSON file: `{"cart": {"CHECKOUT": "Check out"}}`, or objects with details. */
export type SourceTexts = Readonly<
  Record<string, Readonly<Record<string, string | (KeyDetails & { readonly text: string })>>>
>

/** Returns the unknown keys that code uses, each once, with the source texts beside the uses. */
export function wantedKeys(
  unknown: readonly UnknownUsage[],
  sources: readonly SourceFile[],
): { readonly wanted: readonly WantedKey[]; readonly unresolved: readonly UnknownUsage[] } {
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const wanted = new Map<string, WantedKey>()
  const unresolved: UnknownUsage[] = []
  for (const one of unknown) {
    const { module, key, file, line, column } = one
    if (module === undefined || key === undefined) {
      unresolved.push(one)
      continue
    }
    const source = texts.get(file) ?? ''
    const names = unknown.flatMap((other) =>
      other.file === file ? (other.name ?? other.key ?? []) : [],
    )
    const found = commentFor({ key, name: one.name ?? key }, readComments(source), {
      source,
      names,
    })
    const { line: _, key: __, text = one.text, ...details } = found ?? { line, key }
    const id = JSON.stringify([module, key])
    const before = wanted.get(id)
    const usedIn = [...new Set([...(before?.usedIn ?? []), file])].sort()
    wanted.set(id, {
      module,
      key,
      file,
      line,
      column,
      ...details,
      text,
      ...(before && withoutUndefined(before)),
      usedIn,
    })
  }
  return { wanted: [...wanted.values()], unresolved }
}
