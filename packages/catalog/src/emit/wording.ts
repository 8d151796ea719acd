import type { MessageParts } from '../message.ts'
import type { Wording } from '../model.ts'
import { categoriesOf, localeOf } from '../plural.ts'
import { propertyAccess, stringLiteral } from './literal.ts'

/**
 * JavaScript expression for what a message says: a string where nothing is
 * inserted, else a function of the arguments `a` and, for plurals, of
 * `p(count, language)`, which answers the plural category.
 *
 * ```js
 * "Anmelden"
 * a=>"Hallo "+a.name
 * (a,p)=>(p=p(a.count),p=="one"?a.count+" item":a.count+" items")
 * ```
 *
 * @param language Language of the pack: a text that fell back to another one
 *   keeps the plural rules of the language it is written in.
 */
export function wordingExpression(
  wording: Wording | undefined,
  message: { readonly key: string; readonly plural: boolean },
  language: string,
): string {
  if (!wording) return stringLiteral(message.key)
  const other = partsExpression(wording.other)
  if (wording.forms.size === 0) return isConstant(wording.other) ? other : `a=>${other}`

  const categories = categoriesOf(wording.language)
  let expression = other
  for (const [category, parts] of [...wording.forms].reverse()) {
    if (categories.includes(category)) {
      expression = `p=="${category}"?${partsExpression(parts)}:${expression}`
    }
  }
  const locale = localeOf(wording.language)
  const asked = locale === language ? '' : `,${stringLiteral(locale)}`
  const zero = wording.forms.get('zero')
  // i18next shows the zero form for 0 in languages whose grammar has none.
  if (zero && !categories.includes('zero')) {
    const rest = expression === other ? other : `(p=p(a.count${asked}),${expression})`
    return `(a,p)=>a.count===0?${partsExpression(zero)}:${rest}`
  }
  return expression === other
    ? isConstant(wording.other)
      ? other
      : `a=>${other}`
    : `(a,p)=>(p=p(a.count${asked}),${expression})`
}

const isConstant = (parts: MessageParts): boolean => parts.every((part) => typeof part === 'string')

function partsExpression(parts: MessageParts): string {
  // A leading string makes `+` concatenate whatever the first argument is.
  const shown = typeof parts[0] === 'string' ? parts : ['', ...parts]
  return shown
    .map((part) =>
      typeof part === 'string' ? stringLiteral(part) : `a${propertyAccess(part.param)}`,
    )
    .join('+')
}
