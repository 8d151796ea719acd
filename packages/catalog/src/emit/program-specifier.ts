import { type Model } from '../model/model.ts'
import { fileNameOf } from '@servicekit/core'
import { entryNames, importNameOf, lookupName } from '../model/names.ts'

/**
 * Returns the specifier of a file that {@link emitProgram} writes, so that code that imports the
 * file is read like code that imports the specifier. The extension may be missing.
 *
 * | file | specifier |
 * |---|---|
 * | `runtime.js`, `` | `~uilm` |
 * | `cart`, `cart.js`, `cart.cjs`, `cart.d.ts` | `~uilm/cart` |
 * | `react.js` | `~uilm/react` |
 * | `de-DE/cart.js` (translations) | undefined |
 *
 * @param path Path relative to the output folder, with `/` separators.
 */
export function programSpecifier(path: string, { catalog, modules }: Model): string | undefined {
  const name = path.replace(/(?:\.d\.c?ts|\.c?[jt]s)$/, '').replaceAll('%25', '%')
  if (/^(?:index|runtime)?$/.test(name)) return '~uilm'
  if (entryNames.some((entry) => entry === name)) return `~uilm/${name}`
  const lookup = `/${lookupName}`
  const base = name.endsWith(lookup) ? name.slice(0, -lookup.length) : name
  const module = modules.find((one) => [importNameOf(one.name), one.name].includes(base))
  if (module) return `~uilm/${importNameOf(module.name)}${name.slice(base.length)}`
  const [folder] = name.split('/')
  const isOther =
    /^(?:i18next|markup)\$$/.test(folder!) ||
    catalog.languages.some(({ code }) => fileNameOf(code) === folder)
  // The name of a module that does not exist.
  return isOther ? undefined : `~uilm/${name}`
}
