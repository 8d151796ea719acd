import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { primedUrl } from '../assets.ts'
import { baseOf } from './context.ts'
import type { Primed } from './make-primed.ts'
import type { Pair } from './memory.ts'

/**
 * Returns built-in pairs: human translations from open-source programs, and the names of
 * countries, languages and currencies from the Unicode CLDR, which Node includes.
 */
export async function primedPairs(from: string, to: string): Promise<readonly Pair[]> {
  if (baseOf(from) === baseOf(to)) return []
  return [...pairsOf(await readPrimed(), from, to), ...namePairs(from, to)]
}

/** Reads the packed file of the build or, when run from sources, collects the same data. */
async function readPrimed(): Promise<Primed> {
  const path = fileURLToPath(primedUrl)
  if (existsSync(path)) {
    const text = (await promisify(gunzip)(await readFile(path))).toString('utf8')
    return JSON.parse(text) as Primed
  }
  const { collectPrimed } = await import('./make-primed.ts')
  return collectPrimed()
}

function pairsOf({ sources, languages, rows }: Primed, from: string, to: string): readonly Pair[] {
  const source = columnOf(languages, from)
  const target = columnOf(languages, to)
  if (source < 0 || target < 0) return []
  return rows.flatMap((row) => {
    const [text, translation] = [row[source + 1], row[target + 1]]
    if (typeof text !== 'string' || typeof translation !== 'string') return []
    const origin = `in ${sources[row[0] as number]}`
    return [{ source: text, target: translation, origin }]
  })
}

/**
 * Returns the column of the language with that code, of its base language, or of another
 * region.
 */
function columnOf(languages: readonly string[], code: string): number {
  const wanted = code.toLowerCase()
  const exact = languages.findIndex((one) => one.toLowerCase() === wanted)
  if (exact >= 0) return exact
  const base = languages.indexOf(baseOf(code))
  return base >= 0 ? base : languages.findIndex((one) => baseOf(one) === baseOf(code))
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const pairsOfLetters = letters.flatMap((a) => letters.map((b) => a + b))

/** Returns the names that CLDR has in both languages. */
function namePairs(from: string, to: string): readonly Pair[] {
  const kinds = [
    ['region', pairsOfLetters],
    ['language', pairsOfLetters.map((code) => code.toLowerCase())],
    ['currency', Intl.supportedValuesOf('currency')],
  ] as const
  try {
    return kinds.flatMap(([type, codes]) => {
      const [source, target] = [from, to].map(
        (code) => new Intl.DisplayNames(code, { type, fallback: 'none' }),
      )
      // For an unknown language, ICU falls back to another one.
      if (!isFor(source!, from) || !isFor(target!, to)) return []
      return codes.flatMap((code) => {
        const [name, translation] = [source!.of(code), target!.of(code)]
        return name && translation
          ? [{ source: name, target: translation, origin: 'in the Unicode CLDR' }]
          : []
      })
    })
  } catch {
    // A code that is not a language tag has no names.
    return []
  }
}

const isFor = (names: Intl.DisplayNames, code: string): boolean =>
  baseOf(names.resolvedOptions().locale) === baseOf(code)
