/** Code pages of scripts other than Latin in Windows, where spreadsheets write CSV files. */
const byScript: Readonly<Record<string, string>> = {
  Arab: 'windows-1256',
  Cyrl: 'windows-1251',
  Grek: 'windows-1253',
  Hans: 'gb18030',
  Hant: 'big5',
  Hebr: 'windows-1255',
  Jpan: 'shift_jis',
  Kore: 'euc-kr',
  Thai: 'windows-874',
}

/** Languages in Latin script that Western Europe's code page cannot write. */
const latin: readonly (readonly [string, RegExp])[] = [
  ['windows-1250', /^(?:bs|cs|hr|hu|pl|ro|sk|sl|sq|sr)$/],
  ['windows-1254', /^(?:az|tr)$/],
  ['windows-1257', /^(?:et|lt|lv)$/],
  ['windows-1258', /^vi$/],
]

/**
 * Returns the code page in which Windows writes a language, such as `windows-1251` for Russian;
 * Western Europe's for an unknown one.
 */
export function codePageOf(languageName: string): string {
  try {
    const { language, script = '' } = new Intl.Locale(languageName.replaceAll('_', '-')).maximize()
    if (script !== 'Latn') return byScript[script] ?? 'windows-1252'
    const found = latin.find(([, names]) => names.test(language))
    return found === undefined ? 'windows-1252' : found[0]
  } catch {
    return 'windows-1252'
  }
}
