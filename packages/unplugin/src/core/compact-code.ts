/** Strings, comments, white space, words and numbers, and any other single character. */
const tokens =
  /(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<comment>\/\/.*|\/\*[^]*?\*\/)|(?<space>\s+)|[\w$]+|[^]/g

/**
 * Removes comments, indentation and unnecessary white space from generated JavaScript,
 * for bundlers without a minifier. Keeps names and line breaks that may end a statement.
 * Supports only our own code style: no regular expressions and no nested template
 * literals.
 */
export function compactCode(code: string): string {
  let result = ''
  let gap = ''
  for (const { 0: token, groups } of code.matchAll(tokens)) {
    if (groups?.['space'] !== undefined) {
      gap += token
      continue
    }
    if (groups?.['comment'] !== undefined && !/^\/\* (?:@__PURE__|webpack)/.test(token)) {
      // A comment that contains a line break ends a statement like a line break.
      gap += token.startsWith('//') ? '' : token.replaceAll(/[^\n]/g, '') || ' '
      continue
    }
    result += between(result.at(-1) ?? '{', gap, token[0]!) + token
    gap = ''
  }
  return `${result}\n`
}

/** Returns the white space needed between two characters. */
function between(before: string, gap: string, after: string): string {
  if (gap === '') return ''
  // A statement continues after and before these characters, even across line breaks.
  const goesOn = /[{([,;=>?:&|]/.test(before) || /[)\]},.?:=&|;]/.test(after)
  if (gap.includes('\n')) return goesOn ? '' : '\n'
  const isWord = (sign: string): boolean => /[\w$]/.test(sign)
  const joins = (isWord(before) && isWord(after)) || (before === after && /[+-]/.test(before))
  return joins ? ' ' : ''
}
