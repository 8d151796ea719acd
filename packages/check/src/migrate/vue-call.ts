import type { MessageModel } from '@servicekit/catalog'
import { ts } from 'ts-morph'
import { argumentNames } from '../usage/i18next-references.ts'
import type { Edit } from '../edit/edits.ts'

/** Argument of a message that a call of vue-i18n passes. */
type VueArgument =
  /** `name: value` in the object literal of the call. */
  | { readonly kind: 'property'; readonly node: ts.ObjectLiteralElementLike }
  /** Element of its list, `{0}` in the message, or its number. */
  | { readonly kind: 'value'; readonly name: string; readonly node: ts.Expression }

/** Arguments of the message in their order in the call. */
export interface VueArguments {
  readonly names: readonly string[]
  readonly list: readonly VueArgument[]
}

/** Names by which a message of vue-i18n can show the number of its plural. */
export const numberNames = ['count', 'n'] as const

/**
 * Reads the arguments of `t('KEY', { name })`, `t('KEY', [first])` and `t('KEY', number)`, also with
 * the number as a third argument. Returns a reason if their meaning is not visible.
 */
export function readVueArguments(
  { arguments: [, ...rest] }: ts.CallExpression,
  expected: readonly string[],
  isNumber: (node: ts.Expression) => boolean,
): VueArguments | string {
  if (rest.length > 2) return 'it has too many arguments'
  const list: VueArgument[] = []
  const names: string[] = []
  for (const [index, one] of rest.entries()) {
    if (ts.isObjectLiteralExpression(one)) {
      const given = index === 0 ? argumentNames(one) : undefined
      if (!given) return index === 0 ? 'it uses computed argument names' : 'it uses options'
      names.push(...given)
      list.push(...one.properties.map((node) => ({ kind: 'property', node }) as const))
    } else if (ts.isArrayLiteralExpression(one)) {
      if (one.elements.some(ts.isSpreadElement)) return 'its list is known only at run time'
      for (const [at, node] of one.elements.entries()) {
        // vue-i18n ignores values that the message does not show, which may call functions.
        if (!expected.includes(String(at))) return `the message has no parameter ${at}`
        names.push(String(at))
        list.push({ kind: 'value', name: String(at), node })
      }
    } else if (isNumber(one)) {
      const shown = numberNames.filter((name) => expected.includes(name) && !names.includes(name))
      if (shown.length !== 1) {
        return shown.length === 0
          ? 'the message has no plural forms for its number'
          : 'the message shows its number by two names'
      }
      names.push(shown[0]!)
      list.push({ kind: 'value', name: shown[0]!, node: one })
    } else if (ts.isStringLiteralLike(one)) return 'it uses a default message or a language'
    else return 'it is not visible whether its argument is a number, a list or an object'
  }
  return { names, list }
}

/** Returns whether the code itself shows that an expression is a number. */
export function isVisiblyNumber(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isVisiblyNumber(node.expression)
  if (ts.isNumericLiteral(node)) return true
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'length'
  if (ts.isCallExpression(node)) {
    return /^(?:Number|parseInt|parseFloat|Math\.\w+)$/.test(node.expression.getText())
  }
  if (ts.isPrefixUnaryExpression(node)) return node.operator !== ts.SyntaxKind.ExclamationToken
  return (
    ts.isBinaryExpression(node) &&
    [
      ts.SyntaxKind.MinusToken,
      ts.SyntaxKind.AsteriskToken,
      ts.SyntaxKind.SlashToken,
      ts.SyntaxKind.PercentToken,
    ].includes(node.operatorToken.kind)
  )
}

/** Returns all translations of a message, by key. */
export const textsOf = (
  translations: ReadonlyMap<string, ReadonlyMap<string, string | null>>,
  { key, group }: MessageModel,
): readonly string[] =>
  [...translations.values()].flatMap((texts) =>
    [key, ...(group.plural?.values() ?? [])].flatMap((one) => texts.get(one) ?? []),
  )

/**
 * Replaces `t('KEY', [first, second], number)` by `KEY({ 0: first, 1: second, count: number })`. The
 * values stay because they may contain calls of their own.
 */
export function vueCallEdits(
  source: ts.SourceFile,
  call: ts.CallExpression,
  local: string,
  { list }: VueArguments,
): readonly Edit[] {
  const start = call.getStart(source)
  const [, options] = call.arguments
  if (list.length === 0) return [{ start, end: call.getEnd(), text: `${local}()` }]
  // Keep the formatting of an object literal.
  if (list.every(({ kind }) => kind === 'property')) {
    return [{ start, end: options!.getStart(source), text: `${local}(` }]
  }
  const edits: Edit[] = []
  let at = start
  let before = `${local}({ `
  for (const one of list) {
    const text = one.kind === 'value' ? `${before}${one.name}: ` : before
    edits.push({ start: at, end: one.node.getStart(source), text })
    at = one.node.getEnd()
    before = ', '
  }
  return [...edits, { start: at, end: call.getEnd(), text: ' })' }]
}
