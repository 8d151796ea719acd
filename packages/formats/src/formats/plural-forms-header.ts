import { localeOf } from '@servicekit/catalog/inspection'
import { type Category } from '../plural-keys.ts'
import { compilePluralExpression } from './plural-expression.ts'

/** Forms of a gettext file: the category of each index. */
export interface GettextForms {
  /** Value of the header: `nplurals=2; plural=(n != 1);`. */
  readonly header: string
  readonly categories: readonly Category[]
}

/** Expressions of the languages that GNU gettext knows, the usual ones first. */
const expressions = [
  'nplurals=1; plural=0;',
  'nplurals=2; plural=(n != 1);',
  'nplurals=2; plural=(n > 1);',
  'nplurals=2; plural=(n%10==1 && n%100!=11 ? 0 : 1);',
  'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);',
  'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);',
  'nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);',
  'nplurals=3; plural=(n%10==1 && (n%100<11 || n%100>19) ? 0 : n%10>=2 && (n%100<11 || n%100>19) ? 1 : 2);',
  'nplurals=3; plural=(n%10==0 || (n%100>=11 && n%100<=19) ? 0 : n%10==1 && n%100!=11 ? 1 : 2);',
  'nplurals=3; plural=(n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2);',
  'nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);',
  'nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);',
  'nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n<7 && n>2 ? 2 : n<11 && n>6 ? 3 : 4);',
  'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);',
  'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n==3 ? 3 : n==6 ? 4 : 5);',
]

/** Numbers that tell the forms apart. */
const numbers = Array.from({ length: 1001 }, (_, number) => number)

/** Returns the forms of a language; undefined if gettext has no expression for it. */
export function gettextForms(language: string): GettextForms | undefined {
  const rules = new Intl.PluralRules(localeOf(language))
  for (const header of expressions) {
    const categories = categoriesOf(header, language)
    if (!categories) continue
    const plural = compilePluralExpression(parseHeader(header)!.expression)
    if (numbers.every((n) => categories[plural(n)] === rules.select(n))) {
      return { header, categories }
    }
  }
  return undefined
}

/**
 * Returns the category of each index of a `Plural-Forms` header in a language: the one that most of
 * its numbers have. Without a language, those of one and two forms.
 *
 * @returns undefined if two indexes have the same category, as if the header is of another language.
 * @throws SyntaxError if the header is not valid.
 */
export function categoriesOf(
  header: string,
  language: string | undefined,
): readonly Category[] | undefined {
  const parsed = parseHeader(header)
  if (!parsed) throw new SyntaxError(`"${header}" is not a value of Plural-Forms`)
  const { count, expression } = parsed
  const plural = compilePluralExpression(expression)
  if (count === 1) return ['other']
  if (language === undefined) return count === 2 ? ['one', 'other'] : undefined
  const rules = new Intl.PluralRules(localeOf(language))
  const counts = Array.from({ length: count }, () => new Map<Category, number>())
  for (const n of numbers) {
    const category = rules.select(n) as Category
    const found = counts[plural(n)]
    found?.set(category, (found.get(category) ?? 0) + 1)
  }
  const categories = counts.map(
    (found) => [...found].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'other',
  )
  return new Set(categories).size === count ? categories : undefined
}

function parseHeader(header: string) {
  const [, count, expression] =
    /^\s*nplurals\s*=\s*(\d)\s*;\s*plural\s*=([^;]+);?\s*$/.exec(header) ?? []
  return count === undefined ? undefined : { count: Number(count), expression: expression! }
}
