import { realpathSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { primedUrl } from '../assets.ts'

/** Human translations from open-source programs, in their packed form. */
export interface Primed {
  /** Sources of the translations, with their licence. */
  readonly sources: readonly string[]
  readonly languages: readonly string[]
  /** Index of the source, then a translation for each language; 0 where there is none. */
  readonly rows: readonly (readonly (string | number)[])[]
}

type Texts = Readonly<Record<string, string>>
type ByLanguage = ReadonlyMap<string, Texts>

const require = createRequire(import.meta.url)

/**
 * Reads the translations from the packages that publish them, which are installed only for
 * builds.
 */
export async function collectPrimed(): Promise<Primed> {
  const found: [string, ByLanguage][] = [
    ['Uppy, MIT', await readUppy()],
    ['PrimeLocale, MIT', await readPrimeLocale()],
  ]
  const languages = [...new Set(found.flatMap(([, texts]) => [...texts.keys()]))].sort()
  const rows = found.flatMap(([, byLanguage], source) => {
    const keys = Object.keys(byLanguage.get('en') ?? {})
    return keys.map((key) => [source, ...languages.map((code) => byLanguage.get(code)?.[key] ?? 0)])
  })
  return { sources: found.map(([name]) => name), languages, rows }
}

/**
 * Reads files such as `de_DE.js`, each with one object of strings; plurals are objects and
 * skipped.
 */
async function readUppy(): Promise<ByLanguage> {
  const folder = dirname(require.resolve('@uppy/locales/lib/en_US.js'))
  const names = (await readdir(folder)).filter((name) => /^[a-z]{2}_.*\.js$/.test(name))
  const files = names.map(async (name): Promise<readonly [string, Texts]> => {
    const module = (await import(pathToFileURL(join(folder, name)).href)) as {
      readonly default: { readonly strings: object }
    }
    return [codeOf(name.replace('.js', '')), flatten(module.default.strings, 0)]
  })
  return new Map(await Promise.all(files))
}

/** Drops the region where no other region of the language is translated. */
const codeOf = (name: string): string => {
  const [language = '', region = '', script] = name.split('_')
  if (script) return `${language}-${script === 'Latin' ? 'Latn' : 'Cyrl'}`
  const isOnlyOne = !['es_MX', 'pt_BR', 'zh_TW'].includes(name)
  return isOnlyOne ? (language === 'nb' ? 'nb' : language) : `${language}-${region}`
}

/** Reads files such as `de.json`, each with its strings below the language's code. */
async function readPrimeLocale(): Promise<ByLanguage> {
  const folder = dirname(require.resolve('primelocale/en.json'))
  const names = (await readdir(folder)).filter((name) =>
    /^[a-z]{2,3}(-[A-Z]{2})?\.json$/.test(name),
  )
  const files = names.map(async (name): Promise<readonly [string, Texts]> => {
    const content = JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, object>
    return [name.replace('.json', ''), flatten(Object.values(content)[0] ?? {}, 1)]
  })
  return new Map(await Promise.all(files))
}

/** Returns the strings of an object by path, down to `depth`; formats are skipped. */
function flatten(value: object, depth: number, path = ''): Texts {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
      const at = path ? `${path}.${name}` : name
      if (typeof part === 'string') {
        const isText = part.trim() !== '' && part.length <= 200 && !/format/i.test(name)
        return isText ? [[at, part]] : []
      }
      if (depth === 0 || typeof part !== 'object' || part === null) return []
      return Object.entries(flatten(part, depth - 1, at))
    }),
  )
}

// Only the build runs this file; all others import it.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const packed = await promisify(gzip)(JSON.stringify(await collectPrimed()), { level: 9 })
  await writeFile(fileURLToPath(primedUrl), packed)
}
