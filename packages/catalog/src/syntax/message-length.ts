import type { MessageParts } from './message.ts'

/**
 * Returns the number of characters of a message, of its longest branch if there are several.
 * Parameters count as empty, because only the page knows their values.
 */
export function lengthOf(parts: MessageParts): number {
  let length = 0
  for (const part of parts) {
    if (typeof part === 'string') length += [...part].length
    else if ('cases' in part) {
      const branches = [...part.exact.values(), ...part.cases.values(), part.other]
      length += Math.max(...branches.map(lengthOf))
    } else if ('tag' in part && part.children) length += lengthOf(part.children)
  }
  return length
}
