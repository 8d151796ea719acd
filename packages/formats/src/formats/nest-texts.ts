import { unsupportedMessage } from '../format-errors.ts'

/** Texts by name, which are nested as their keys tell. */
export type TextTree = ReadonlyMap<string, string | TextTree>
type MutableTree = Map<string, string | MutableTree>

/** A parser refuses deeper nesting. */
const deepest = 200

/**
 * Nests texts at the dots of their keys.
 *
 * @throws ServicekitError EMIT_FAILED for a key that another one continues.
 */
export function nestTexts(
  texts: ReadonlyMap<string, string>,
  { module, format }: { readonly module: string; readonly format: string },
): TextTree {
  const root: MutableTree = new Map()
  for (const [key, text] of texts) {
    const names = key.split('.')
    const last = names.pop()!
    const fail = (reason: string): never => {
      throw unsupportedMessage(format, { module, key }, reason, 'Export with flat keys instead.')
    }
    if (names.length > deepest) fail(`it has more than ${deepest} levels`)
    let tree = root
    for (const name of names) {
      const inner = tree.get(name) ?? new Map<string, string | MutableTree>()
      if (typeof inner === 'string') return fail('a part of its name is a message as well')
      tree.set(name, inner)
      tree = inner
    }
    if (tree.has(last)) fail('its name is a part of the name of another message')
    tree.set(last, text)
  }
  return root
}
