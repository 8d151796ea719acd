import { createHash } from 'node:crypto'
import { isObject } from './shape.ts'

/** Says which files in the folder are ours; to be committed beside them. */
export const lockName = 'gateway.lock.json'

/** File name to hash of its text, the lock itself not included. */
export type Lock = ReadonlyMap<string, string>

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** One line per file, so that two branches which change two schemas merge. */
export function printLock(lock: Lock): string {
  const files = Object.fromEntries([...lock].sort(([left], [right]) => (left < right ? -1 : 1)))
  return `${JSON.stringify({ lockVersion: 1, generator: '@servicekit/codegen', files }, null, 2)}\n`
}

/** Reads a lock; one that cannot be read claims nothing, nor does a name that leaves the folder. */
export function parseLock(text: string | undefined): Lock {
  const lock = new Map<string, string>()
  let content: unknown
  try {
    content = JSON.parse(text ?? '')
  } catch {
    return lock
  }
  if (!isObject(content) || !isObject(content['files'])) return lock
  for (const [name, hash] of Object.entries(content['files'])) {
    if (/^[a-z0-9_-]+\.(?:ts|js|d\.ts)$/.test(name) && typeof hash === 'string')
      lock.set(name, hash)
  }
  return lock
}
