import { textOf, textsOf } from './storefront.ts'

/** Languages of the interleaved requests. */
const requestLanguages = ['de-DE', 'fr-FR', 'ja-JP', 'ar-EG'] as const
type RequestLanguage = (typeof requestLanguages)[number]

/** Returns the number of items as the page shows it. */
export const itemsOf = (language: string, count: number): string =>
  textOf(language, 'cart', `CART_ITEMS_${new Intl.PluralRules(language).select(count)}`).replace(
    '{{count}}',
    String(count),
  )

/** Texts that only one language has, without characters that HTML escapes. */
const markersOf = (language: string): readonly string[] =>
  [textOf(language, 'common', 'FOOTER_NOTE'), textOf(language, 'common', 'NAV_ABOUT')]
    .flatMap((text) => text.split(/[&<>"']|\{\{\w+\}\}/))
    .map((text) => text.trim())
    .filter((text) => text.length > 4)

/** Returns the languages other than `language` of which a text contains messages. */
export function foreignLanguages(text: string, language: string): readonly string[] {
  return ['en-US', ...requestLanguages].filter(
    (other) =>
      other !== language &&
      markersOf(other).some(
        (marker) => !markersOf(language).includes(marker) && text.includes(marker),
      ),
  )
}

/** Keys of the messages that the applications of frameworks use, without plural forms. */
const usedKeys = /^(?:APP_TITLE|FOOTER_NOTE|LANGUAGE|NAV_ABOUT|ABOUT_\w+|CART_ITEMS)(?:_[a-z]+)?$/

/** Returns the keys of the messages in a language that a text contains without using them. */
export const unusedMessages = (text: string, language: string): readonly string[] =>
  textsOf(language)
    .filter(({ key }) => !usedKeys.test(key))
    // Short texts and those with parameters may be part of others.
    .filter(({ text: own }) => own.length > 12 && !/[{\n"\\]/.test(own) && text.includes(own))
    .map(({ key }) => key)

export interface InterleavedReport {
  requests: number
  wrong: number
  leaks: number
}

/** Part of a request that states its language. */
const requestsOf = (
  language: RequestLanguage,
  query: string,
): readonly [string, Record<string, string>][] => [
  [`/${language}${query}`, {}],
  [`/${query}`, { 'accept-language': `${language}, en;q=0.5` }],
  [`/${query}`, { cookie: `uilm-language=${language}`, 'accept-language': 'en' }],
]

/** Requests a page, again if the server closed the kept-alive connection at the same moment. */
async function readPage(url: string, headers: Record<string, string>): Promise<string> {
  const read = async () => (await fetch(url, { headers })).text()
  try {
    return await read()
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: string }
    if (code !== 'UND_ERR_SOCKET' && code !== 'ECONNRESET') throw error
    return read()
  }
}

/** Sends concurrent requests in four languages and compares the pages with the translations. */
export async function sendInterleaved(
  url: string,
  requests: number,
  hasPaths: boolean = true,
): Promise<InterleavedReport> {
  const report: InterleavedReport = { requests: 0, wrong: 0, leaks: 0 }
  const send = async (index: number): Promise<void> => {
    const language = requestLanguages[index % requestLanguages.length]!
    const count = 1 + (index % 7)
    const ways = requestsOf(language, `?count=${count}`).slice(hasPaths ? 0 : 1)
    const [path, headers] = ways[Math.floor(index / 4) % ways.length]!
    const html = await readPage(url + path, headers)
    report.requests++
    if (
      !html.includes(itemsOf(language, count)) ||
      !markersOf(language).every((one) => html.includes(one))
    )
      report.wrong++
    if (foreignLanguages(html, language).length > 0) report.leaks++
  }
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < requests) await send(next++)
  }
  await Promise.all(Array.from({ length: 48 }, worker))
  return report
}
