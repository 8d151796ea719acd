/** Texts, comments, white space, words and numbers, and all other signs one by one. */
const tokens =
  /(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<comment>\/\/.*|\/\*[^]*?\*\/)|(?<space>\s+)|[\w$]+|[^]/g

/**
 * JavaScript of ours without comments, indentation and needless white space: for
 * bundlers that have no minifier. Names stay, and so do ends of lines that may end a
 * statement. It knows our own way of writing and no other: no regular expressions,
 * and no back-tick within a template.
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
      // A comment that spans lines ends a statement as the end of a line does.
      gap += token.startsWith('//') ? '' : token.replaceAll(/[^\n]/g, '') || ' '
      continue
    }
    result += between(result.at(-1) ?? '{', gap, token[0]!) + token
    gap = ''
  }
  return `${result}\n`
}

/** The white space that is needed after one sign and before another. */
function between(before: string, gap: string, after: string): string {
  if (gap === '') return ''
  // After and before these a statement goes on, wherever its line ends.
  const goesOn = /[{([,;=>?:&|]/.test(before) || /[)\]},.?:=&|;]/.test(after)
  if (gap.includes('\n')) return goesOn ? '' : '\n'
  const isWord = (sign: string): boolean => /[\w$]/.test(sign)
  const joins = (isWord(before) && isWord(after)) || (before === after && /[+-]/.test(before))
  return joins ? ' ' : ''
}
