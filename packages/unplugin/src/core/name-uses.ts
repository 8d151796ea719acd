import { escapePattern } from '@servicekit/core'

/** Use of a name of a key module in a source file. */
export interface NameUse {
  readonly name: string
  /** Position in the file. */
  readonly start: number
}

/** Content of a string, in which a quote may be escaped. */
const single = String.raw`'((?:[^'\\\n]|\\[^])*)'`
const double = String.raw`"((?:[^"\\\n]|\\[^])*)"`
/** Without expressions. */
const template = '`([^`\\\\$]*)`'
const literal = String.raw`'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"`
const comment = String.raw`\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*(?=\n|$)`
/** List in braces, whose strings and comments may contain braces and quotes. */
const content = String.raw`(?:${comment}|${literal}|\/(?![/*])|[^}'"/])*`
const list = String.raw`\{(${content})\}`
const identifier = String.raw`[\p{ID_Start}_$][\p{ID_Continue}$]*`

/**
 * Finds the names that a source file uses of the modules with these specifiers, except types:
 * those in lists of imports and exports, and members of namespace and dynamic imports.
 *
 * ```js
 * import { SIGN_IN } from '~uilm/auth'
 * auth.SIGN_IN() // with `import * as auth from '~uilm/auth'`
 * const { SIGN_IN } = await import('~uilm/auth')
 * ```
 *
 * Searches text, because no parser reads every input: webpack, rspack and esbuild pass
 * TypeScript and components before they are compiled, and templates of Vue, once compiled
 * for development, name messages through `$setup`.
 */
export function nameUses(source: string, specifiers: readonly string[]): readonly NameUse[] {
  const from = `['"](?:${specifiers.map(escapePattern).join('|')})['"]`
  // Magic comments of webpack come before the specifier, import attributes after it.
  const dynamic = promises(source, `import\\(\\s*(?:(?:${comment})\\s*)*${from}\\s*(?:,[^()]*)?\\)`)
  const onLoad = `${dynamic}\\s*\\.then\\(\\s*(?:async\\s*)?(?:function\\s*[\\w$]*\\s*)?`
  const required = `require\\(\\s*${from}\\s*\\)`
  /** Expressions whose value is the module. TypeScript needs the parentheses before `as`. */
  const module = `(?:${[`await\\s+${dynamic}`, `\\(\\s*await\\s+${dynamic}\\s*\\)`, required].join('|')})(?!\\s*(?:[.[]|\\?\\.))`
  // Only at the start of a line, which excludes most comments.
  const statement = `^[ \\t]*(?:import|export)\\s*(?:[\\w$]+\\s*,\\s*)?`
  const namespaces = [
    `${statement}\\*\\s*as\\s+(${identifier})\\s+from\\s*${from}`,
    `(${identifier})\\s*(?:\\?\\?|\\|\\|)?=\\s*${module}`,
    `${onLoad}\\(?\\s*(${identifier})\\s*(?::[^()=]*)?\\)?\\s*(?:=>|\\{)`,
  ].flatMap((pattern) => groups(source, pattern).map(({ text }) => text))
  const awaited = awaitedTogether(source, dynamic)
  // Other names of the same namespace. A list also iterates over what is added meanwhile.
  for (const name of namespaces) {
    const copy = `\\b(?:const|let|var)\\s+(${identifier})\\s*=\\s*${escapePattern(name)}\\s*(?:;|,|$)`
    for (const { text } of groups(source, copy))
      if (!namespaces.includes(text)) namespaces.push(text)
  }
  const assigned = namespaces.flatMap((name) => assignedOnce(source, name))
  /** Names whose declaration is not that of a namespace. */
  const undeclared = [...awaited.map(({ text }) => text), ...assigned]
  const uses = [
    ...listed(source, `${statement}${list}\\s*from\\s*${from}`),
    ...listed(source, `${list}\\s*=\\s*${module}`),
    ...listed(source, `${onLoad}\\(\\s*${list}`),
    ...members(source, `\\(\\s*await\\s+${dynamic}\\s*\\)`),
    ...members(source, required),
    ...properties(source, namespaces).flatMap((property) => members(source, property)),
    ...awaited.flatMap(({ text, start }) =>
      listed(text, `^\\s*${list}`).map((use) => ({ ...use, start: start + use.start })),
    ),
  ]
  for (const variable of new Set([...namespaces, ...undeclared])) {
    const use = `(?<![\\p{ID_Continue}$.])${escapePattern(variable)}(?![\\p{ID_Continue}$])`
    const isShadowed =
      declarations(source, use) > namespaces.filter((name) => name === variable).length
    if (isShadowed) continue
    uses.push(...members(source, use), ...listed(source, `${list}\\s*=\\s*${use}(?!\\s*[.([?])`))
  }
  return uses
}

/**
 * Returns the patterns that receive the module in `const [cart, { SIGN_IN }] = await Promise.all([…])`.
 */
function awaitedTogether(source: string, dynamic: string): readonly Found[] {
  if (!source.includes('Promise.all')) return []
  const patterns = String.raw`\[((?:\{${content}\}|[^\[\]{}])*)\]`
  const call = String.raw`${patterns}\s*=\s*await\s+Promise\.all\(\s*\[([^\[\]]*)\]`
  const isModule = new RegExp(`^${dynamic}$`, 'u')
  return [...source.matchAll(new RegExp(call, 'dgmu'))].flatMap((match) => {
    const [, [patternsAt] = [0]] = match.indices!
    const promised = itemsOf(match[2]!, 0)
    return itemsOf(match[1]!, patternsAt).filter((_, index) =>
      isModule.test(promised[index]?.text ?? ''),
    )
  })
}

/** Splits a list at its commas. Returns none if some are within an item. */
function itemsOf(list: string, start: number): readonly Found[] {
  let at = start
  const items = list.split(/,(?![^{}]*\})/).map((item) => {
    const text = item.trimStart()
    const found = { text: text.trimEnd(), start: at + item.length - text.length }
    at += item.length + 1
    return found
  })
  const isWhole = ({ text }: Found): boolean =>
    text.split(/[({]/).length === text.split(/[)}]/).length
  return items.every(isWhole) ? items : []
}

/**
 * Returns patterns of the properties that have a namespace: `all.cart`, with
 * `const all = { cart }`.
 */
function properties(source: string, namespaces: readonly string[]): readonly string[] {
  const object = new RegExp(`\\b(?:const|let|var)\\s+(${identifier})\\s*=\\s*${list}`, 'gmu')
  const item = new RegExp(`^\\s*(?:(${identifier})\\s*:\\s*)?(${identifier})\\s*$`, 'u')
  return [...source.matchAll(object)].flatMap(([, name, content]) => {
    const variable = `(?<![\\p{ID_Continue}$.])${escapePattern(name!)}`
    if (declarations(source, variable) !== 1) return []
    return content!.split(',').flatMap((one) => {
      const [, key, value] = item.exec(one) ?? []
      if (value === undefined || !namespaces.includes(value)) return []
      return `${variable}\\s*\\.\\s*${escapePattern(key ?? value)}(?![\\p{ID_Continue}$])`
    })
  })
}

/** Returns the variables whose only assignment in a file, without a declaration, is this name. */
const assignedOnce = (source: string, name: string): readonly string[] =>
  groups(source, `^[ \\t]*(${identifier})\\s*=\\s*${escapePattern(name)}\\s*(?:;|$)`)
    .map(({ text }) => text)
    .filter(
      (text) =>
        groups(source, `(?<![\\p{ID_Continue}$.])(${escapePattern(text)})\\s*=(?!=)`).length === 1,
    )

/**
 * Returns the pattern of the promises of a module: `import('~uilm/auth')`, a variable that has
 * one, and a call of a function that returns one. Names that are declared again are left out.
 */
function promises(source: string, dynamic: string): string {
  const assigned = `\\b(?:const|let|var)\\s+(${identifier})\\s*=\\s*`
  const namesOf = (pattern: string): readonly string[] =>
    groups(source, pattern)
      .map(({ text }) => `(?<![\\p{ID_Continue}$.])${escapePattern(text)}(?![\\p{ID_Continue}$])`)
      .filter((name) => declarations(source, name) === 1)
  const all = [
    dynamic,
    ...namesOf(`${assigned}${dynamic}\\s*(?:;|$)`),
    ...namesOf(`${assigned}(?:async\\s*)?\\(\\s*\\)\\s*=>\\s*${dynamic}`).map(
      (name) => `${name}\\(\\s*\\)`,
    ),
  ]
  return `(?:${all.join('|')})`
}

/** Returns the names of the comma-separated lists that the group of a pattern matches. */
function listed(source: string, pattern: string): readonly NameUse[] {
  return groups(source, pattern).flatMap(({ text, start }) => {
    const bare = text.replaceAll(
      new RegExp(`(${literal})|${comment}`, 'g'),
      (found, string?: string) => string ?? ' '.repeat(found.length),
    )
    return groups(
      bare,
      `(?:^|,)\\s*(?:(${identifier})|${single}|${double})(?=\\s*(?:[,:=]|$|as\\s))`,
    ).map((found) => ({ name: unescapeString(found.text), start: start + found.start }))
  })
}

/** Returns the members of an expression that are accessed by name. */
const members = (source: string, expression: string): readonly NameUse[] =>
  groups(
    source,
    `${expression}!?\\s*(?:(?:\\?\\.|\\.)\\s*(${identifier})|(?:\\?\\.)?\\[\\s*(?:${single}|${double}|${template})\\s*\\])`,
  ).map(({ text, start }) => ({ name: unescapeString(text), start }))

/** Counts declarations of a variable, among them parameters of functions. */
const declarations = (source: string, variable: string): number =>
  [
    `\\bas\\s+(${variable})\\s+from\\b`,
    `\\b(?:const|let|var)\\s+(${variable})(?=\\s*(?::|=|of\\b))`,
    `(${variable})\\s*=>`,
    `(?<!\\b(?:if|while|switch)\\s*)\\((?:[^()]*,)?\\s*(${variable})\\s*(?:[,:?=][^()]*)?\\)\\s*(?::[^={]*)?(?:=>|\\{)`,
  ].reduce((sum, pattern) => sum + groups(source, pattern).length, 0)

/** Part of a source file. */
interface Found {
  readonly text: string
  readonly start: number
}

/** Returns what the first matching group of a pattern matches, each time. */
function groups(source: string, pattern: string): readonly Found[] {
  return [...source.matchAll(new RegExp(pattern, 'dgmu'))].flatMap((match) => {
    const index = match.findIndex((group, at) => at > 0 && group !== undefined)
    return index < 0 ? [] : [{ text: match[index]!, start: match.indices![index]![0] }]
  })
}

/** Returns the value of a string literal, given what is between its quotes. */
const unescapeString = (content: string): string =>
  content.replaceAll(
    /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[^]))/gi,
    (_, point?: string, unit?: string, byte?: string, character = '') => {
      const code = point ?? unit ?? byte
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
      return escapes[character as string] ?? (character as string)
    },
  )

/** Escapes that are not the character itself. A line break is left out. */
const escapes: Readonly<Record<string, string>> = {
  0: '\0',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
  '\r\n': '',
}

/** Returns the values of the strings in a source file that contain an escape. */
export const escapedStrings = (source: string): readonly string[] =>
  [...source.matchAll(new RegExp(`${single}|${double}`, 'gu'))].flatMap(([, one, other]) => {
    const content = one ?? other ?? ''
    return content.includes('\\') ? [unescapeString(content)] : []
  })
