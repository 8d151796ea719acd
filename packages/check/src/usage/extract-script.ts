import { type SourceType, sourceTypeOf } from '@servicekit/catalog'
import { ts } from 'ts-morph'

/** JavaScript of a file, at the positions that it has there. */
export interface ExtractedScript {
  /** File name whose extension selects the language. */
  readonly name: string
  readonly text: string
  /** Parts that cannot be read. */
  readonly unread: readonly UnreadPart[]
  /** Paths in code that is not part of the script: handlers of elements. */
  readonly loose: readonly LoosePath[]
}

/** Path in code that is not parsed. */
export interface LoosePath {
  /** Position in the file. */
  readonly start: number
  readonly text: string
}

/**
 * Pattern of paths in code that is the text of a string or an attribute. It begins only where a word
 * does, so that a long line without a path takes linear time.
 */
export const pathInCode = /(?<![^\s"'`()<>{}*;&=])[^\s"'`()<>{}*;&=]+\/[^\s"'`()<>{};&]+/g

export interface UnreadPart {
  /** Position in the file. */
  readonly start: number
  readonly reason: string
}

/** Part of a file that is JavaScript. */
interface Piece {
  readonly start: number
  readonly end: number
  readonly kind: 'script' | 'expression' | 'statements' | 'keypath'
}

interface Pieces {
  readonly pieces: readonly Piece[]
  /** Language of the scripts: an extension without a dot. */
  readonly language: string
  readonly unread?: readonly UnreadPart[]
  readonly loose?: readonly LoosePath[]
}

/**
 * Returns the JavaScript of a file with all positions preserved. For components and pages this is
 * the scripts and each template expression as a separate statement. Everything else is blank.
 *
 * ```text
 * <p :title="SAVE()">{{ HELLO() }}</p>
 *          ;(SAVE())  ;( HELLO() )
 * ```
 */
export function extractScript(fileName: string, text: string): ExtractedScript {
  const type = sourceTypeOf(fileName) ?? 'script'
  if (type === 'script') return { name: fileName, text, unread: [], loose: [] }
  const { pieces, language, unread = [], loose = [] } = readers[type](text)
  // Split by code unit to preserve positions.
  const result = text.split('')
  const blank = result.map((character) => (/\s/.test(character) ? character : ' '))
  for (const { start, end, kind } of pieces) {
    for (let index = start; index < end; index++) blank[index] = text[index]!
    if (kind === 'script') {
      // Separates scripts that do not end with a semicolon.
      if (blank[end] === ' ') blank[end] = ';'
      continue
    }
    if (kind === 'keypath') {
      blank.splice(start, keypathMark.length, ...keypathMark)
      blank[end] = ')'
      if (blank[end + 1] === ' ') blank[end + 1] = ';'
      continue
    }
    blank[start - 1] = kind === 'expression' ? '(' : '{'
    blank[end] = kind === 'expression' ? ')' : '}'
    if (start > 1 && blank[start - 2] === ' ') blank[start - 2] = ';'
    if (blank[end + 1] === ' ') blank[end + 1] = ';'
  }
  return { name: `${fileName}.${language}`, text: blank.join(''), unread, loose }
}

/** Takes the place of `keypath=`: an assignment, which no template has. */
const keypathMark = ';(i18nT='

/** Readers of the file types: of every type in the list of the catalog. */
const readers: Readonly<Record<Exclude<SourceType, 'script'>, (text: string) => Pieces>> = {
  vue: readVue,
  svelte: readSvelte,
  astro: readAstro,
  mdx: readMdx,
  // A page of VitePress has scripts, and is then a component. Other Markdown has no code.
  markdown: (text) => {
    const shown = withoutCode(text)
    return /<script\b/.test(shown) ? readVue(shown) : { pieces: [], language: 'js' }
  },
  html: (text) => {
    const { isHidden, ...scripts } = readScripts(text)
    return { ...scripts, loose: handlerPaths(text).filter(({ start }) => !isHidden(start)) }
  },
}

/** Finds the paths in handlers of elements: `onclick="import('/messages/cart.js')"`. */
const handlerPaths = (text: string): readonly LoosePath[] =>
  [...text.matchAll(/\son\w+\s*=\s*(?:"[^"]*"|'[^']*')/gi)].flatMap(({ 0: handler, index }) =>
    [...handler.matchAll(pathInCode)].map((path) => ({
      start: index + path.index,
      text: path[0],
    })),
  )

/** Finds scripts, and the parts that no template expression can be in: scripts, styles, comments. */
function readScripts(text: string): Pieces & { readonly isHidden: (start: number) => boolean } {
  const pieces: Piece[] = []
  const unread: UnreadPart[] = []
  const hidden: { readonly start: number; readonly end: number }[] = []
  let language = 'js'
  for (const match of text.matchAll(
    /<(script|style)\b((?:"[^"]*"|'[^']*'|\{[^}]*\}|[^>"'])*)>([\s\S]*?)<\/\1\s*>|<!--[\s\S]*?-->/gi,
  )) {
    hidden.push({ start: match.index, end: match.index + match[0].length })
    if (match[1]?.toLowerCase() !== 'script') continue
    const [, , attributes = '', content = ''] = match
    const lang = attribute(attributes, 'lang')
    const type = attribute(attributes, 'type')
    // Data, such as an import map.
    if (
      type !== undefined &&
      !/^(?:|module|(?:text|application)\/(?:java|type|babel)\w*)$/i.test(type)
    )
      continue
    if (lang !== undefined && !/^(?:[jt]sx?|javascript|typescript)$/i.test(lang)) {
      unread.push({ start: match.index, reason: `its script is in ${lang}` })
      continue
    }
    if (lang !== undefined) language = lang.replace(/^(.)\w+script$/i, '$1s').toLowerCase()
    const start = match.index + `<script${attributes}>`.length
    pieces.push({ start, end: start + content.length, kind: 'script' })
  }
  const isHidden = (start: number): boolean =>
    hidden.some((range) => start >= range.start && start < range.end)
  return { pieces, language, unread, isHidden }
}

/** Returns the value of an attribute in the text of a tag. */
const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(String.raw`(?:^|\s)${name}\s*=\s*["']?([\w./+-]*)`).exec(attributes)?.[1]

/** Returns parts in a language other than HTML, such as `<template lang="pug">`. */
const foreignTemplates = (text: string): readonly UnreadPart[] =>
  [...text.matchAll(/<template\b[^>]*\blang\s*=\s*["']?(\w+)/g)].flatMap(({ 1: lang, index }) =>
    lang === 'html' ? [] : [{ start: index, reason: `its template is in ${lang}` }],
  )

function readVue(text: string): Pieces {
  const { pieces: scripts, language, unread = [], isHidden } = readScripts(text)
  const pieces = [...scripts]
  for (const match of text.matchAll(/\{\{([\s\S]*?)\}\}/g)) {
    if (isHidden(match.index)) continue
    const start = match.index + 2
    pieces.push({ start, end: start + match[1]!.length, kind: 'expression' })
  }
  const directive = /\s(v-[\w-]+(?::[^\s=>]*)?|[:@#][^\s=>"']*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
  for (const match of text.matchAll(directive)) {
    const name = match[1]!
    const value = match[2] ?? match[3]!
    if (isHidden(match.index) || value.trim() === '') continue
    const end = match.index + match[0].length - 1
    // `v-for="one of list"`: only the list is an expression.
    const list = name === 'v-for' ? /^[\s\S]*?\s(?:in|of)\s/.exec(value) : undefined
    const start = end - value.length + (list?.[0].length ?? 0)
    const isHandler = /^(?:@|v-on:)/.test(name) && !/^\s*(?:async\s+)?function\b/.test(value)
    pieces.push({ start, end, kind: isHandler ? 'statements' : 'expression' })
  }
  for (const match of text.matchAll(keypath)) {
    const end = match.index + match[0].length
    if (isHidden(match.index)) continue
    pieces.push({ start: end - match[1]!.length, end, kind: 'keypath' })
  }
  return { pieces, language, unread: [...unread, ...foreignTemplates(text)] }
}

/** Attribute of `<i18n-t keypath="KEY">`. */
const keypath =
  /<(?:i18n-t|I18nT|Translation)\s(?:"[^"]*"|'[^']*'|[^>"'])*?\b(?<!:)(keypath=(?:"[^"\\\n]*"|'[^'\\\n]*'))/g

/** Finds `{expr}`, `{#if expr}`, `{@html expr}` in text and attributes. */
function readSvelte(text: string): Pieces {
  const { pieces: scripts, language, unread = [], isHidden } = readScripts(text)
  const found = readBraces(text, {
    isHidden,
    language: 'ts',
    expressionIn(start, end) {
      let from = start
      let to = end
      const block = /^\s*(?:[#:@/][a-z]+(?:\s+if\b)?)/.exec(text.slice(from, to))
      if (block) from += block[0].length
      if (block?.[0].includes('each') || block?.[0].includes('await')) {
        const tail = /\s(?:as|then|catch)\s/.exec(text.slice(from, to))
        if (tail) to = from + tail.index
      }
      // Its parameters.
      if (block?.[0].includes('snippet')) from = to
      if (block?.[0].includes('const')) {
        from += Math.max(0, text.slice(from, to).indexOf('=') + 1)
      }
      return [from, to]
    },
  })
  return {
    pieces: [...scripts, ...found.pieces],
    language,
    unread: [...unread, ...found.unread, ...foreignTemplates(text)],
  }
}

/** Finds the code between `---`, scripts, and `{expr}`, which may contain elements. */
function readAstro(text: string): Pieces {
  const head = /^\s*---[^\S\n]*\n([\s\S]*?)^---[^\S\n]*$/m.exec(text)
  const start = head ? head.index + head[0].indexOf('\n') + 1 : 0
  const end = head ? start + head[1]!.length : 0
  const template = text.slice(0, end).replaceAll(/\S/g, ' ') + text.slice(end)
  const { pieces: scripts, unread = [], isHidden } = readScripts(template)
  const found = readBraces(template, { isHidden, language: 'tsx' })
  return {
    pieces: [
      ...(head ? [{ start, end, kind: 'script' } as const] : []),
      ...scripts,
      ...found.pieces,
    ],
    language: 'tsx',
    unread: [...unread, ...found.unread],
  }
}

/** Finds the imports and exports of an MDX page, and `{expr}`. */
function readMdx(text: string): Pieces {
  const shown = withoutCode(text)
  const pieces: Piece[] = []
  for (const { index: start } of shown.matchAll(/^(?:import|export)\b/gm)) {
    const last = pieces.at(-1)
    if (last && start < last.end) continue
    // A block ends at an empty line, unless its code goes on.
    const ends = [...shown.slice(start).matchAll(/\n[^\S\n]*\n|$(?![\s\S])/g)].map(
      ({ index }) => start + index,
    )
    const end = ends.slice(0, mostTries).find((one) => isCode(shown.slice(start, one), 'jsx'))
    pieces.push({ start, end: end ?? ends[0]!, kind: 'script' })
  }
  const isHidden = (at: number): boolean =>
    shown[at - 1] === '\\' || pieces.some(({ start, end }) => at >= start && at < end)
  const found = readBraces(shown, { isHidden, language: 'jsx' })
  return { pieces: [...pieces, ...found.pieces], language: 'jsx', unread: found.unread }
}

/** Blanks out front matter, code blocks and inline code of Markdown. */
const withoutCode = (text: string): string =>
  text.replaceAll(
    /^---\n[\s\S]*?^---$|^[^\S\n]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[^\S\n]*\1[`~]*[^\S\n]*$|$(?![\s\S]))|(`+)(?!`)[^\n]*?[^`]\2(?!`)/gm,
    (code, _fence, _tick, at: number) =>
      code.startsWith('---') && at > 0 ? code : code.replaceAll(/\S/g, ' '),
  )

/** Finds the expressions in braces. An expression ends at the first brace that leaves valid code. */
function readBraces(
  text: string,
  {
    isHidden,
    language,
    expressionIn = (start, end) => [start, end],
  }: {
    readonly isHidden: (start: number) => boolean
    readonly language: string
    /** Returns the expression between braces, such as that of a block. */
    readonly expressionIn?: (start: number, end: number) => readonly [start: number, end: number]
  },
): { readonly pieces: readonly Piece[]; readonly unread: readonly UnreadPart[] } {
  const pieces: Piece[] = []
  const unread: UnreadPart[] = []
  for (let index = text.indexOf('{'); index >= 0; index = text.indexOf('{', index + 1)) {
    if (isHidden(index)) continue
    const isEnd = (end: number): boolean => {
      const [from, to] = expressionIn(index + 1, end)
      return isExpression(text.slice(from, to), language)
    }
    const likely = closing(text, index)
    const end = likely >= 0 && isEnd(likely) ? likely : (ends(text, index).find(isEnd) ?? -1)
    if (end < 0) {
      unread.push({ start: index, reason: 'an expression has a syntax error' })
      if (likely < 0) continue
    }
    const [from, to] = expressionIn(index + 1, end < 0 ? likely : end)
    const spread = /^\s*\.\.\./.exec(text.slice(from, to))?.[0].length ?? 0
    const isEmpty = text.slice(from, to).replaceAll(comments, '').trim() === ''
    if (!isEmpty) pieces.push({ start: from + spread, end: to, kind: 'expression' })
    index = end < 0 ? likely : end
  }
  return { pieces, unread }
}

/** Number of ends that are tried for a block or an expression. */
const mostTries = 300

const ends = (text: string, open: number): readonly number[] => {
  const found: number[] = []
  let at = text.indexOf('}', open)
  for (; at >= 0 && found.length < mostTries; at = text.indexOf('}', at + 1)) found.push(at)
  return found
}

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

const isExpression = (text: string, language: string): boolean => {
  const code = text.replace(/^\s*\.\.\./, '')
  return code.replaceAll(comments, '').trim() === '' || isCode(`(${code}\n)`, language)
}

const isCode = (text: string, language: string): boolean =>
  syntaxErrors(ts.createSourceFile(`/x.${language}`, text, ts.ScriptTarget.Latest)).length === 0

/** Returns the syntax errors of a parsed file. TypeScript has no public name for them. */
export const syntaxErrors = (source: ts.SourceFile): readonly ts.DiagnosticWithLocation[] =>
  (source as unknown as { readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[] })
    .parseDiagnostics

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
