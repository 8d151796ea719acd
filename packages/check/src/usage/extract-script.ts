/**
 * Returns the JavaScript of a file with all positions preserved. For Vue and Svelte
 * components this is the script and each template expression as a separate statement.
 * Everything else is blank.
 *
 * ```text
 * <p :title="SAVE()">{{ HELLO() }}</p>
 *          ;(SAVE())  ;( HELLO() )
 * ```
 */
export function extractScript(
  fileName: string,
  text: string,
): { readonly name: string; readonly text: string } {
  if (fileName.endsWith('.vue')) return component(fileName, text, vueExpressions)
  if (fileName.endsWith('.svelte')) return component(fileName, text, svelteExpressions)
  return { name: fileName, text }
}

interface Piece {
  readonly start: number
  readonly end: number
  /** `true` for an expression, which needs parentheses. */
  readonly isExpression: boolean
}

function component(
  fileName: string,
  text: string,
  expressions: (text: string, isHidden: (start: number) => boolean) => readonly Piece[],
) {
  const scripts: Piece[] = []
  const hidden: { readonly start: number; readonly end: number }[] = []
  let ending = 'js'
  for (const match of text.matchAll(
    /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1\s*>|<!--[\s\S]*?-->/g,
  )) {
    hidden.push({ start: match.index, end: match.index + match[0].length })
    if (match[1] !== 'script') continue
    ending = /\blang\s*=\s*["']?([jt]sx?)/.exec(match[2]!)?.[1] ?? ending
    const start = match.index + match[0].indexOf('>', 1 + match[1].length + match[2]!.length) + 1
    scripts.push({ start, end: start + match[3]!.length, isExpression: false })
  }
  const isHidden = (start: number): boolean =>
    hidden.some((range) => start >= range.start && start < range.end)
  const pieces = [...scripts, ...expressions(text, isHidden)]
  // Split by code unit to preserve positions.
  const result = text.split('')
  const blank = result.map((character) => (/\s/.test(character) ? character : ' '))
  for (const { start, end, isExpression } of pieces) {
    for (let index = start; index < end; index++) blank[index] = text[index]!
    if (!isExpression) continue
    blank[start - 1] = '('
    blank[end] = ')'
    if (start > 1 && blank[start - 2] === ' ') blank[start - 2] = ';'
    if (blank[end + 1] === ' ') blank[end + 1] = ';'
  }
  return { name: `${fileName}.${ending}`, text: blank.join('') }
}

function vueExpressions(text: string, isHidden: (start: number) => boolean): readonly Piece[] {
  const pieces: Piece[] = []
  for (const match of text.matchAll(/\{\{([\s\S]*?)\}\}/g)) {
    if (isHidden(match.index)) continue
    const start = match.index + 2
    pieces.push({ start, end: start + match[1]!.length, isExpression: true })
  }
  const attribute = /\s(?:v-[\w-]+(?::[^\s=>]*)?|[:@#][^\s=>"']*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
  for (const match of text.matchAll(attribute)) {
    const value = match[1] ?? match[2]!
    if (isHidden(match.index) || value.trim() === '') continue
    const end = match.index + match[0].length - 1
    pieces.push({ start: end - value.length, end, isExpression: true })
  }
  return pieces
}

/** Finds `{expr}`, `{#if expr}`, `{@html expr}` in text and attributes. */
function svelteExpressions(text: string, isHidden: (start: number) => boolean): readonly Piece[] {
  const pieces: Piece[] = []
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== '{' || isHidden(index)) continue
    const end = closing(text, index)
    if (end < 0) break
    let start = index + 1
    let stop = end
    const block = /^\s*(?:[#:@/][a-z]+(?:\s+if\b)?)/.exec(text.slice(start, end))
    if (block) start += block[0].length
    if (block?.[0].includes('each') || block?.[0].includes('await')) {
      const tail = /\s(?:as|then|catch)\s/.exec(text.slice(start, end))
      if (tail) stop = start + tail.index
    }
    if (block?.[0].includes('const')) start += Math.max(0, text.slice(start, end).indexOf('=') + 1)
    if (text.slice(start, stop).trim() !== '' && start > 0) {
      pieces.push({ start, end: stop, isExpression: true })
    }
    index = end
  }
  return pieces
}

/**
 * Returns the position of the closing brace for the brace at `open`, skipping strings and
 * nested braces; -1 if there is none.
 */
function closing(text: string, open: number): number {
  let depth = 0
  let quote = ''
  for (let index = open; index < text.length; index++) {
    const character = text[index]!
    if (quote !== '') {
      if (character === '\\') index++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'" || character === '`') quote = character
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return index
  }
  return -1
}
