import { readdir, stat } from 'node:fs/promises'
import { keyLanguage } from '@servicekit/contract/limits'
import { ConfigError, ResponseShapeError } from '@servicekit/client'
import { byCodePoint, isObject, parseJson } from '@servicekit/core'
import { findModuleFiles } from './module-files.ts'
import type { Source } from './source.ts'
import { readText } from './write.ts'

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
 * of another tool or a snapshot. A file in a subfolder is a module with a slash: `shop/cart` for
 * `de/shop/cart.json`. Nested objects become dotted keys. Other files and
 * folders are ignored. Unless the options name a default language, it is `en` or the
 * first `en-…`.
 *
 * @throws ConfigError if the folder does not exist or contains no language.
 * @throws ResponseShapeError naming a file that is not JSON or is too large.
 */
export function folderSource({ from, modules, maxBytes }: FolderSourceOptions): Source {
  /** Files by language and module, as listed last. Only these are read. */
  let files: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map()
  const findFiles = async (codes: readonly string[]): Promise<void> => {
    const found = codes.map(async (code) => [code, await findModuleFiles(from, code)] as const)
    files = new Map(await Promise.all(found))
  }
  return {
    name: `the folder ${from}`,
    async list(signal) {
      const codes = await languagesIn(from)
      await findFiles(codes)
      signal.throwIfAborted()
      const byDefault =
        codes.find((code) => code === 'en') ?? codes.find((code) => /^en[-_]/.test(code))
      const found = new Set([...files.values()].flatMap((ofLanguage) => [...ofLanguage.keys()]))
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
      if (files.size === 0) await findFiles(await languagesIn(from))
      const file = files.get(language)?.get(module)
      const raw = file === undefined ? undefined : await readJson(file, maxBytes)
      signal.throwIfAborted()
      return raw ? { status: 'ok', raw: flatten(raw), etag: undefined } : { status: 'empty' }
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
  const raw = parseJson((await readText(file)) ?? '{}')
  if (raw === undefined) throw fileError(file, 'is not JSON')
  if (!isObject(raw)) throw fileError(file, 'is not an object of keys and translations')
  return raw
}

const fileError = (file: string, what: string): ResponseShapeError =>
  new ResponseShapeError(`${file} ${what}`, {
    details: { file },
    help: 'Export it again as an object of keys and translations.',
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
