import {
  byCodePoint,
  isRightToLeft as isWrittenFromRight,
  likelyOf,
  findClosest,
} from '@servicekit/core'

/**
 * Returns whether a language is written from right to left: `ar`, `iw`, `pa-Arab`,
 * `uz-AF`.
 */
export const isRightToLeft = (code: string): boolean => isWrittenFromRight(code)

const plain = (code: string): string => code.replaceAll('_', '-').toLowerCase()

/**
 * Varieties of a language that are spoken in other regions too, by the language matching data of
 * CLDR. Of English only the regions that browsers commonly send, because pages contain the list.
 *
 * @see https://www.unicode.org/reports/tr35/#LanguageMatching
 */
const varieties: readonly { readonly codes: readonly string[]; readonly regions: string }[] = [
  {
    codes: ['es-419'],
    regions: '419 AR BO CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE',
  },
  { codes: ['pt-PT'], regions: 'AO CH CV GW LU MO MZ PT ST TL' },
  { codes: ['en-001', 'en-GB'], regions: '001 AU GB HK IE IN KE MY NG NZ PK SG ZA' },
]

/** Returns the variety of a code; undefined for the usual one of its language. */
const varietyOf = (code: string) => {
  const [base = ''] = plain(code).split('-')
  const { region } = likelyOf(code)
  return varieties.find(
    ({ codes, regions }) =>
      codes[0]!.startsWith(`${base}-`) && regions.split(' ').some((one) => one === region),
  )
}

/** Returns the language with the subtag `base` that is closest to a code in the usual script. */
function closestRegional(
  code: string,
  base: string,
  languages: readonly string[],
): string | undefined {
  const { script, region } = likelyOf(base)
  const related = languages.filter(
    (one) => plain(one).split('-')[0] === base && likelyOf(one).script === script,
  )
  const variety = varietyOf(code)
  const same = related.filter((one) => varietyOf(one) === variety)
  const wanted = [code, ...(variety?.codes ?? []), base, `${base}-${region}`]
  const among = same.length > 0 ? same : related
  const found = wanted.flatMap((one) => among.filter((other) => plain(other) === plain(one)))
  return [...found, ...among][0]
}

/**
 * Returns the languages of a project that can replace `code`, closest first:
 *
 * ```ts
 * relativesOf('de-AT', ['de', 'de-DE', 'en-US']) // ['de-DE', 'de']
 * relativesOf('zh-Hant-HK', ['zh', 'zh-Hant', 'zh-TW']) // ['zh-Hant', 'zh-TW']
 * ```
 *
 * Languages in another script are excluded.
 */
export function relativesOf(code: string, languages: readonly string[]): readonly string[] {
  const [base = '', ...rest] = plain(code).split('-')
  const { script } = likelyOf(code)
  const shorter = rest
    .map((_, index) => [base, ...rest.slice(0, -1 - index)].join('-'))
    .slice(0, -1)
  const written = script === undefined ? base : `${base}-${script}`
  const { region = base } = likelyOf(written)
  const variety = varietyOf(code)?.codes ?? []
  const wanted = [
    ...shorter,
    ...variety,
    `${written}-${region}`,
    `${base}-${region}`,
    `${base}-${base}`,
    base,
  ]
  const found = wanted.flatMap((one) => languages.filter((other) => plain(other) === plain(one)))
  const isReadable = (other: string): boolean =>
    other !== code && (likelyOf(other).script ?? script) === (script ?? likelyOf(other).script)
  return [...new Set(found)].filter(isReadable)
}

/**
 * Groups of interchangeable language codes: deprecated and current ones, macrolanguages
 * and their members.
 */
const synonyms: readonly (readonly string[])[] = [
  ['he', 'iw'],
  ['nb', 'no', 'nn'],
  ['id', 'in'],
  ['yi', 'ji'],
  ['fil', 'tl'],
  ['ro', 'mo'],
]

/** Codes of languages that are written in two scripts. */
const scripted: readonly string[] = Object.entries({
  'zh-Hans': ['CN', 'SG'],
  'zh-Hant': ['TW', 'HK', 'MO'],
  'sr-Cyrl': ['RS'],
  'sr-Latn': ['ME', 'RS'],
}).flatMap(([written, regions]) => {
  const [base = ''] = written.split('-')
  return [base, written, ...regions.flatMap((one) => [`${base}-${one}`, `${written}-${one}`])]
})

/**
 * Returns the visitor language codes that need a mapping to a project language, because
 * they neither are a project language nor share its first subtag:
 * `{ nb: 'no-NO', 'zh-hk': 'zh-TW' }`. Most projects need none.
 */
export function languageAliases(languages: readonly string[]): Readonly<Record<string, string>> {
  const aliases = new Map<string, string>()
  const bases = new Map<string, string>()
  const add = (code: string, language: string): void => {
    if (!aliases.has(code) && !languages.some((one) => one.toLowerCase() === code)) {
      aliases.set(code, language)
    }
  }
  for (const language of languages) {
    const [base = ''] = plain(language).split('-')
    if (!bases.has(base)) bases.set(base, language)
    // Browsers never send codes with an underscore.
    if (language.includes('_')) add(plain(language), language)
  }
  for (const [base, first] of bases) {
    const closest = closestRegional(base, base, languages) ?? first
    if (closest !== first || first.includes('_')) add(base, closest)
    const regions = varieties.filter(({ codes }) => codes[0]!.startsWith(`${base}-`))
    for (const region of regions.flatMap((one) => one.regions.split(' '))) {
      const code = `${base}-${region}`
      const language = closestRegional(code, base, languages)
      if (language !== undefined && language !== closest) add(code.toLowerCase(), language)
    }
  }
  for (const same of synonyms) {
    for (const code of same) {
      const language = same.map((one) => bases.get(one)).find(Boolean)
      if (language !== undefined && !bases.has(code)) add(code, language)
    }
  }
  for (const code of scripted) {
    const first = bases.get(code.split('-')[0]!)
    const { script } = likelyOf(code)
    if (first === undefined || likelyOf(first).script === script) continue
    const language = languages.find(
      (one) => plain(one).split('-')[0] === code.split('-')[0] && likelyOf(one).script === script,
    )
    if (language !== undefined) add(plain(code), language)
  }
  return Object.fromEntries([...aliases].sort(([a], [b]) => byCodePoint(a, b)))
}

/** Returns help that suggests a similar code, and those of the same language: `de-DE` and `de-AT` for `de`. */
export function languageAdvice(unknown: string, known: readonly string[]): string {
  const [wanted] = unknown.toLowerCase().split(/[-_]/)
  const same = known.filter((code) => code.toLowerCase().split(/[-_]/)[0] === wanted)
  const closest = findClosest(unknown, known)
  const similar = same.length > 0 ? same : closest === undefined ? [] : [closest]
  return similar.length === 0
    ? 'Correct the option languages.'
    : `Did you mean ${similar.map((code) => `"${code}"`).join(' or ')}?`
}
