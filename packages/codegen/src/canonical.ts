/**
 * A text of TypeScript without what a formatter decides: white space, semicolons,
 * commas, parentheses, the kind of quotes, a leading `|`, the order of imports. Two
 * texts whose canonical forms are equal say the same. Strings and comments keep
 * their words.
 */
export function canonical(text: string): string {
  const named: string[] = []
  const rest = text.replaceAll(statements, (_, keyword: string, names: string, from: string) => {
    for (const name of names.replaceAll(/[{}]/g, '').split(',')) {
      if (name.trim() !== '') named.push(`${keyword} ${name.trim()} ${from}\n`)
    }
    return ''
  })
  return named.sort().join('') + plainTokens(rest)
}

/** What organises imports sorts these, and the names in them. */
const statements =
  /^(import(?: type)?|export(?: type)?)\s*(\*|\{[^{}]*\})\s*from\s*['"]([^'"\n]+)['"];?$/gm

function plainTokens(text: string): string {
  let last = ''
  let result = ''
  for (const [token] of text.matchAll(tokens)) {
    if (/^[\s;,()]/.test(token)) continue
    // `= | 'a' | 'b'` as one line is `= 'a' | 'b'`.
    if (token === '|' && /[=:<|{?>]$/.test(last)) continue
    last = plain(token)
    result += `${last}\n`
  }
  return result
}

const tokens =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|\s+|[\p{ID_Continue}$]+|[\s\S]/gu

function plain(token: string): string {
  if (token.startsWith('/*') || token.startsWith('//')) return token.replaceAll(/\s+/g, ' ').trim()
  // Code stands in templates too.
  if (token.startsWith('`')) return token.replaceAll('"', "'")
  if (!/^['"]/.test(token)) return token
  return `'${token.slice(1, -1).replaceAll(/\\(['"])/g, '$1')}'`
}
