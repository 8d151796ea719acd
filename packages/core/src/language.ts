import { memoize } from './memoize.ts'

/**
 * Script and region of a language code, explicit or likely: `TW` and `Hant` for `zh_TW`.
 */
interface Likely {
  readonly script: string | undefined
  readonly region: string | undefined
}

/**
 * Returns the explicit or likely script and region of a code; both undefined if the code
 * is invalid.
 */
export const likelyOf = memoize((code: string): Likely => {
  try {
    const { script, region } = new Intl.Locale(code.replaceAll('_', '-')).maximize()
    return { script, region }
  } catch {
    return { script: undefined, region: undefined }
  }
})

const rightToLeftScripts = /^(?:Adlm|Arab|Aran|Hebr|Mand|Mend|Nkoo|Rohg|Samr|Syrc|Thaa)$/

/**
 * Returns whether a language is written from right to left: `ar`, `iw`, `pa-Arab`,
 * `uz-AF`.
 */
export const isRightToLeft = (code: string): boolean =>
  rightToLeftScripts.test(likelyOf(code).script ?? '')
