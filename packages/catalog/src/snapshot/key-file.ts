import { detailsOf, type KeyEntries, type KeyEntry } from '../model/key-draft.ts'
import { dirname, join } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import { byCodePoint, escapeOutput, isObject, parseJson } from '@servicekit/core'
import type { FileChange } from '../files/replace-files.ts'
import { readText } from '../files/write.ts'

/** Returns the path of the key file, which is next to the lock file. */
export const keyFileOf = (lockFile: string): string => join(dirname(lockFile), 'uilm.keys.json')

/** Returns the path of the details of the keys of a folder. */
export const folderKeyFile = (folder: string): string => join(folder, 'uilm.keys.json')

/** Returns whether a key is used before the source serves it. */
export const isPending = ({ text, renamedFrom }: KeyEntry): boolean =>
  text !== undefined || renamedFrom !== undefined

/**
 * Reads a key file. It is committed with the translations, and has details that the service
 * does not know, and new keys that it does not serve yet:
 *
 * ```json
 * {
 *   "cart": {
 *     "CHECKOUT": {"text":"Check out","context":"button in the cart","maxLength":20}
 *   }
 * }
 * ```
 *
 * @returns no entries if the file does not exist.
 * @throws ServicekitError SNAPSHOT_INVALID
 */
export async function readKeyFile(file: string): Promise<KeyEntries> {
  const text = await readText(file)
  if (text === undefined) return new Map()
  const raw = parseJson(text)
  if (!isObject(raw)) throw invalid(file, 'it is not a JSON object')
  return new Map(
    Object.entries(raw).map(([module, keys]) => {
      if (!isObject(keys)) throw invalid(file, `module "${module}" is not an object`)
      const entries = Object.entries(keys).map(([key, entry]) => {
        if (isEntry(entry)) return [key, entry] as const
        throw invalid(file, `the entry of ${module} ${key} has unknown or wrong properties`)
      })
      return [module, new Map(entries)] as const
    }),
  )
}

const invalid = (file: string, reason: string): ServicekitError =>
  new ServicekitError(`Cannot read ${file}: ${reason}`, {
    code: 'SNAPSHOT_INVALID',
    details: { file },
    help: 'It may contain merge conflict markers. Correct it, or restore it from version control.',
  })

const isText = (value: unknown): boolean => typeof value === 'string'
const checks: Readonly<Record<keyof KeyEntry, (value: unknown) => boolean>> = {
  text: isText,
  language: isText,
  renamedFrom: isText,
  context: isText,
  maxLength: (value) => Number.isInteger(value) && (value as number) > 0,
  usedIn: (value) => Array.isArray(value) && value.every(isText),
}

const isEntry = (entry: unknown): entry is KeyEntry =>
  isObject(entry) &&
  Object.entries(entry).every(
    ([name, value]) => Object.hasOwn(checks, name) && checks[name as keyof KeyEntry](value),
  )

/** Returns the change that writes a key file; an empty one is removed. */
export const keyFileChange = (path: string, entries: KeyEntries): FileChange => ({
  path,
  text: printKeyFile(entries),
})

/** Formats a key file: sorted, one key per line, so that parallel changes merge. */
export function printKeyFile(entries: KeyEntries): string | undefined {
  const modules = sorted(entries).flatMap(([module, keys]) => {
    const lines = sorted(keys).flatMap(([key, entry]) => {
      const text = JSON.stringify(normalised(entry))
      return text === '{}' ? [] : [`    ${JSON.stringify(key)}: ${text}`]
    })
    return lines.length === 0 ? [] : [`  ${JSON.stringify(module)}: {\n${lines.join(',\n')}\n  }`]
  })
  return modules.length === 0 ? undefined : escapeOutput(`{\n${modules.join(',\n')}\n}\n`)
}

/** Returns an entry with its properties in a fixed order. */
const normalised = ({ text, language, renamedFrom, ...details }: KeyEntry): KeyEntry => ({
  ...(text === undefined ? {} : { text }),
  ...(text === undefined || language === undefined ? {} : { language }),
  ...(renamedFrom === undefined ? {} : { renamedFrom }),
  ...detailsOf(details),
})

const sorted = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...map].sort(([a], [b]) => byCodePoint(a, b))

/** Returns a copy with one entry replaced, or removed if it is undefined. */
export function withEntry(
  entries: KeyEntries,
  module: string,
  key: string,
  entry: KeyEntry | undefined,
): KeyEntries {
  const keys = new Map(entries.get(module))
  if (entry === undefined) keys.delete(key)
  else keys.set(key, entry)
  return new Map(entries).set(module, keys)
}
