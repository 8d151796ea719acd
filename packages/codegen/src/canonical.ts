/**
 * Removes formatting from TypeScript source: white space, semicolons, commas,
 * parentheses, the kind of quotes, a leading `|`, the order of imports. Sources with
 * equal canonical forms are equivalent. The content of strings and comments is kept.
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

/** Import organisers sort these statements and the names in them. */
const statements =
  /^(import(?: type)?|export(?: type)?)\s*(\*|\{[^{}]*\})\s*from\s*['"]([^'"\n]+)['"];?$/gm

function plainTokens(text: string): string {
  let last = ''
  let result = ''
  for (const [token] of text.matchAll(tokens)) {
    if (/^[\s;,()]/.test(token)) continue
    // A formatter may write `= | 'a' | 'b'` on one line as `= 'a' | 'b'`.
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
  // Template literals contain code too.
  if (token.startsWith('`')) return token.replaceAll('"', "'")
  if (!/^['"]/.test(token)) return token
  return `'${token.slice(1, -1).replaceAll(/\\(['"])/g, '$1')}'`
}
