import { fileNameOf } from '@servicekit/core'
import { isLanguageName } from './language-name.ts'

/** Language and module that a path tells. */
export interface PathNames {
  readonly language: string | undefined
  readonly module: string | undefined
}

/** Folders and files that are named after their purpose, and not after a module. */
const generic =
  /^(?:|\.|\.\.|app|assets|base|config|dist|i18n|l10n|lang|langs|language|languages|lc_messages|lib|locale|locales|localizable|main|messages|public|res|resources|src|strings|translation|translations|values)$/i

/**
 * Returns the language and the module of a path, as the usual layouts name them: `de/shop.json`,
 * `shop/de.json`, `shop_de.properties`, `values-de-rAT/shop.xml`, `de.lproj/Shop.strings`.
 */
export function namesOfPath(path: string): PathNames {
  const segments = path.replaceAll('\\', '/').split('/')
  const base = decodedName(segments.pop()!.replace(/\.[A-Za-z\d]+$/, ''))
  if (isLanguageName(base)) {
    return { language: base, module: moduleOf(segments.at(-1) ?? '') }
  }
  for (const segment of segments.toReversed()) {
    const language = languageOfFolder(segment)
    if (language !== undefined) {
      return { language: language === '' ? undefined : language, module: moduleOf(base) }
    }
  }
  for (const { index, 0: separator } of base.matchAll(/[._-]/g)) {
    const language = base.slice(index + separator.length)
    if (index > 0 && isLanguageName(language)) {
      return { language, module: moduleOf(base.slice(0, index)) }
    }
  }
  return { language: undefined, module: moduleOf(base) }
}

/** Returns the language of a folder; empty for one of the default language; undefined for others. */
function languageOfFolder(name: string): string | undefined {
  if (isLanguageName(name)) return name
  const android = /^values(?:-(.+))?$/.exec(name)
  if (android) {
    const qualifier = (android[1] ?? '').replace(/^b\+/, '').replaceAll('+', '-')
    const language = qualifier.replace(/-r([A-Z]{2})$/, '-$1')
    return language === '' || isLanguageName(language) ? language : undefined
  }
  const apple = /^(.+)\.lproj$/.exec(name)
  if (!apple) return undefined
  return apple[1] === 'Base' ? '' : apple[1]
}

const moduleOf = (name: string): string | undefined => {
  const decoded = decodedName(name)
  return generic.test(decoded) ? undefined : decoded
}

/** Returns the module or language that a file name was made of, if it was made by an export. */
function decodedName(name: string): string {
  try {
    const decoded = decodeURIComponent(name)
    return fileNameOf(decoded) === name ? decoded : name
  } catch {
    return name
  }
}
