import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keyLanguage } from '@servicekit/contract/limits'
import { ConfigError, ResponseShapeError } from '@servicekit/client'
import { byCodePoint } from '@servicekit/core'
import { fileNameOf } from './names.ts'
import type { Source } from './source.ts'

/** Options of a folder source. */
export interface FolderSourceOptions {
  /** Absolute path of the folder. */
  readonly from: string
  readonly modules: readonly string[] | undefined
  /** Maximum file size in bytes. */
  readonly maxBytes: number
}

const languageCode = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*$/

/**
 * Creates a source that reads a folder of `<language>/<module>.json`, such as the export
 * of another tool or a snapshot. Nested objects become dotted keys. Other files and
 * folders are ignored. Unless the options name a default language, it is `en` or the
 * first `en-…`.
 *
 * @throws ConfigError if the folder does not exist or contains no language.
 * @throws ResponseShapeError naming a file that is not JSON or is too large.
 */
export function folderSource({ from, modules, maxBytes }: FolderSourceOptions): Source {
  return {
    name: `the folder ${from}`,
    async list(signal) {
      const codes = await languagesIn(from)
      signal.throwIfAborted()
      const byDefault =
        codes.find((code) => code === 'en') ?? codes.find((code) => /^en[-_]/.test(code))
      const found = new Set<string>()
      if (!modules) {
        for (const code of codes) {
          for (const file of await readdir(join(from, code))) {
            if (file.endsWith('.json')) found.add(moduleOf(file))
          }
        }
      }
      return {
        languages: codes.map((code) => ({
          code,
          name: languageName(code),
          isDefault: code === byDefault,
        })),
        modules: modules ?? [...found].sort(byCodePoint),
      }
    },
    async read({ language, module }, { signal }) {
      for (const name of new Set([`${module}.json`, `${fileNameOf(module)}.json`])) {
        // Configured module names may contain anything; paths must not leave the folder.
        if (/[/\\]/.test(name)) continue
        const raw = await readJson(join(from, language, name), maxBytes)
        signal.throwIfAborted()
        if (raw) return { status: 'ok', raw: flatten(raw), etag: undefined }
      }
      return { status: 'empty' }
    },
  }
}

/** Returns the languages of a folder of `<language>/<module>.json`. @throws ConfigError */
export async function languagesIn(from: string): Promise<readonly string[]> {
  const entries = await readdir(from, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ConfigError(`Cannot read the folder ${from}`, {
      help: 'Set the option from to a folder of <language>/<module>.json.',
      cause,
    })
  })
  const codes = entries
    .filter((entry) => entry.isDirectory() && languageCode.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => name !== keyLanguage)
    .sort(byCodePoint)
  if (codes.length > 0) return codes
  throw new ConfigError(`${from} contains no languages`, {
    help: 'Expected files named <language>/<module>.json, such as de-DE/auth.json.',
  })
}

/** Snapshots encode characters that are not allowed in file names. */
function moduleOf(file: string): string {
  const name = file.slice(0, -'.json'.length)
  try {
    const decoded = decodeURIComponent(name)
    return fileNameOf(decoded) === name ? decoded : name
  } catch {
    return name
  }
}

function languageName(code: string): string {
  try {
    const names = new Intl.DisplayNames(['en'], { type: 'language' })
    return names.of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}

async function readJson(
  file: string,
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (!found) return undefined
  if (found.size > maxBytes) throw fileError(file, `has ${found.size} bytes, more than ${maxBytes}`)
  let raw: unknown
  try {
    raw = JSON.parse((await readFile(file, 'utf8')).replace(/^\ufeff/, ''))
  } catch (cause) {
    throw fileError(file, 'is not JSON', cause)
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw fileError(file, 'is not an object of keys and translations')
  }
  return raw as Readonly<Record<string, unknown>>
}

const fileError = (file: string, what: string, cause?: unknown): ResponseShapeError =>
  new ResponseShapeError(`${file} ${what}`, {
    details: { file },
    help: 'Export it again as an object of keys and translations.',
    ...(cause === undefined ? {} : { cause }),
  })

/**
 * Flattens `{a: {b: 'x'}}` to `{'a.b': 'x'}`, as most tools do. A flat key takes
 * precedence.
 */
function flatten(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const flat = new Map<string, unknown>()
  const add = (prefix: string, value: object, depth: number): void => {
    for (const [name, inner] of Object.entries(value)) {
      const key = prefix === '' ? name : `${prefix}.${name}`
      const isNested = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      if (isNested && depth < 50) add(key, inner as object, depth + 1)
      else if (prefix === '' || !Object.hasOwn(raw, key)) flat.set(key, inner)
    }
  }
  add('', raw, 0)
  return Object.fromEntries(flat)
}
