import { findByImportName, type Model, specifierOf } from '@servicekit/catalog'
import type { Edit, Node, RuleContext } from './rule.ts'
import { settingsOf, type Snapshots } from './snapshot.ts'
import { decodeEntities } from './text.ts'
import { operandsOf } from './values.ts'
import type { Part, TemplateAttribute } from './template.ts'

/** Location of a text that can become a message. */
export type Extraction =
  | { readonly kind: 'expression'; readonly node: Node }
  | {
      readonly kind: 'parts'
      readonly parts: readonly Part[]
      readonly location: 'children' | 'attribute'
      readonly attribute?: TemplateAttribute
    }

export interface Extracted {
  readonly key: string
  readonly module: string
  /** Source text for `servicekit push`; undefined if the key exists. */
  readonly comment: string | undefined
  readonly call: Edit
}

export interface Extractor {
  /** Returns undefined if the text has elements, or the file cannot import. */
  extract(extraction: Extraction): Extracted | undefined
  /** Returns the edits that replace texts and import their keys. */
  edits(texts: readonly Extracted[]): readonly Edit[]
}

/** Message with the code of its parameters. */
interface Draft {
  readonly text: string
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Replaces texts by calls of new messages and imports these. The source text is a comment above
 * the import, from which `servicekit push` creates the key.
 */
export function createExtractor(
  context: RuleContext,
  { module, snapshots }: { readonly module: string | undefined; readonly snapshots: Snapshots },
): Extractor {
  const { sourceCode } = context
  const model = snapshots.modelFor(context)
  const syntax = settingsOf(context).syntax ?? 'double-brace'
  const [open, close] =
    syntax === 'double-brace' ? ['{{', '}}'] : syntax === 'percent-brace' ? ['%{', '}'] : ['{', '}']
  // Once for each file, because a file may have thousands of texts.
  const statements = scriptStatements(sourceCode.ast)
  const imports = importsOf(statements)
  const known = imports.flatMap(({ specifier }) => {
    const name = snapshots.messageSpecifier(context, specifier)?.slice('~uilm/'.length)
    return name === undefined ? [] : [findByImportName(model?.modules ?? [], name)?.name ?? name]
  })
  const from = module ?? known[0] ?? 'common'
  const specifier = snapshots.specifierFor(
    context,
    specifierOf(from),
    statements.flatMap((one) => (one.type === 'ImportDeclaration' ? [sourceOf(one)] : [])),
  )
  // A CommonJS script cannot import.
  const isScript = sourceCode.ast['sourceType'] !== 'module'
  const location = isScript
    ? undefined
    : importPosition(context, {
        existing: imports.find((one) => one.specifier === specifier)?.node,
        last: statements.findLast(({ type }) => type === 'ImportDeclaration'),
        // Such as "use client".
        directive: statements.findLast((one) => one['directive'] !== undefined),
        start: startOf(sourceCode.text, statements[0]),
      })
  const served = servedTexts(model, from)
  const words = new Set(sourceCode.text.match(/\b[A-Z][A-Z0-9_]*\b/g))
  const comments = new Set(sourceCode.text.match(/\/\/ uilm .*/g))
  /** Texts of the new keys of this file. */
  const added = new Map<string, string>()

  return {
    extract(extraction) {
      const pieces =
        extraction.kind === 'expression'
          ? piecesOf(extraction.node)
          : piecesOfParts(extraction.parts)
      const draft = pieces && draftOf(pieces, sourceCode, [open!, close!])
      // These would end the comment.
      if (!location || !draft || /\*\/|-->/.test(draft.text)) return undefined
      const key = freeKey(draft.text, served, (name) => {
        const other = added.get(name)
        if (other !== undefined) return other !== draft.text
        return words.has(name) && !comments.has(commentOf(name, draft.text))
      })
      const values = [...draft.parameters].map(([name, code]) =>
        name === code ? name : `${name}: ${code}`,
      )
      const code = `${key}(${values.length > 0 ? `{ ${values.join(', ')} }` : ''})`
      const call = replacement(context, extraction, code)
      if (!call) return undefined
      const comment = served.has(key) ? undefined : commentOf(key, draft.text)
      added.set(key, draft.text)
      return { key, module: from, comment, call }
    },
    edits: (texts) => {
      const missing = new Map(texts.map(({ key, comment }) => [key, comment]))
      for (const name of location?.names ?? []) missing.delete(name)
      const added = missing.size > 0 && location ? importEdits(missing, specifier, location) : []
      return [...added, ...texts.map(({ call }) => call)]
    },
  }
}

function replacement(
  { sourceCode, filename }: RuleContext,
  extraction: Extraction,
  call: string,
): Edit | undefined {
  if (extraction.kind === 'expression') {
    const { range, parent } = extraction.node
    // A quote would end the attribute of a template of Vue.
    if (filename.endsWith('.vue') && call.includes('"')) return undefined
    return { range, text: parent?.type === 'JSXAttribute' ? `{${call}}` : call }
  }
  const { parts, location, attribute } = extraction
  const isVue = filename.endsWith('.vue') && parts[0]!.node.type.startsWith('V')
  if (location === 'attribute') {
    const name = attribute!.name
    if (!isVue) return { range: attribute!.node.range, text: `${name}={${call}}` }
    const isPlain = parts.length === 1 && !name.startsWith('v-') && !call.includes('"')
    return isPlain ? { range: attribute!.node.range, text: `:${name}="${call}"` } : undefined
  }
  const [start, end] = [parts[0]!.node.range[0], parts.at(-1)!.node.range[1]]
  const text = sourceCode.text.slice(start, end)
  const range = [
    start + text.length - text.trimStart().length,
    end - (text.length - text.trimEnd().length),
  ] as const
  return { range, text: isVue ? `{{ ${call} }}` : `{${call}}` }
}

type Piece = string | Node

function draftOf(
  pieces: readonly Piece[],
  sourceCode: RuleContext['sourceCode'],
  [open, close]: readonly string[],
): Draft | undefined {
  const parameters = new Map<string, string>()
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += decodeEntities(piece)
      continue
    }
    const code = sourceCode.getText(piece)
    const name = parameterName(piece)
    if (name === undefined || (parameters.get(name) ?? code) !== code) return undefined
    parameters.set(name, code)
    text += `${open}${name}${close}`
  }
  return { text: text.replaceAll(/\s+/g, ' ').trim(), parameters }
}

/** Splits a literal, a template or a concatenation. */
const piecesOf = (node: Node): readonly Piece[] =>
  operandsOf(node).flatMap((operand): readonly Piece[] => {
    if (operand.type === 'Literal') return [String(operand['value'])]
    if (operand.type !== 'TemplateLiteral') return [operand]
    const expressions = operand['expressions'] as Node[]
    return (operand['quasis'] as Node[]).flatMap((one, index): Piece[] => {
      const expression = expressions[index]
      const text = one['value']['cooked'] as string
      return expression ? [text, expression] : [text]
    })
  })

function piecesOfParts(parts: readonly Part[]): readonly Piece[] | undefined {
  if (parts.some(({ kind }) => kind === 'element')) return undefined
  return parts.flatMap((part): readonly Piece[] => {
    if (part.kind === 'text') return [part.text]
    return part.kind === 'expression' ? piecesOf(part.expression) : []
  })
}

/** Only values that are read, so that the message is evaluated like the text before. */
function parameterName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node['name'] as string
  if (node.type !== 'MemberExpression' || node['computed']) return undefined
  return parameterName(node['object'] as Node) && (node['property']['name'] as string)
}

/** Returns a key for a text: `Sign in to continue.` becomes `SIGN_IN_TO_CONTINUE`. */
function keyOfText(text: string): string {
  const words = text
    .replaceAll(/\{\{?\w+\}\}?/g, ' ')
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toUpperCase()
    .match(/[A-Z0-9]+/g)
  const key = (words ?? []).slice(0, 6).join('_').slice(0, 40).replace(/_$/, '')
  return /^[A-Z]/.test(key) ? key : `TEXT${key && `_${key}`}`
}

/** Returns the source texts of a module by key. */
function servedTexts(model: Model | undefined, module: string): ReadonlyMap<string, string | null> {
  const found = model?.modules.find(({ name }) => name === module)
  return found?.source.translations.get(model!.catalog.defaultLanguage) ?? new Map()
}

/** Returns a key that exists for the same text, or that neither the module nor the file uses. */
function freeKey(
  text: string,
  served: ReadonlyMap<string, string | null>,
  isTaken: (name: string) => boolean,
): string {
  const key = keyOfText(text)
  for (let number = 1; ; number++) {
    const name = number === 1 ? key : `${key}_${number}`
    const existing = served.get(name)
    if (existing === text || (existing === undefined && !isTaken(name))) return name
  }
}

/** Comment that `servicekit push` reads. Quotes at the ends of a text would be removed. */
const commentOf = (key: string, text: string): string =>
  `// uilm ${key}: ${/^(["'`]).*\1$/.test(text) ? `"${text}"` : text}`

interface Import {
  readonly specifier: string
  readonly node: Node
}

/** Position in a script for the import of messages. */
interface ImportPosition {
  /** Position at which the comments of a statement begin, or the statement itself. */
  readonly at: number
  /** End of the last name of an existing import. */
  readonly end?: number
  /** Names that are imported. */
  readonly names: readonly string[]
  readonly indent: string
  readonly before: string
  readonly after: string
}

const sourceOf = (statement: Node): string => statement['source']['value'] as string

/** Returns the imports that may be of messages, without entries such as `~uilm/react`. */
const importsOf = (statements: readonly Node[]): readonly Import[] =>
  statements.flatMap((node): Import[] => {
    if (node.type !== 'ImportDeclaration' || node['importKind'] === 'type') return []
    const names = node['specifiers'] as Node[]
    const isNamed = names.length > 0 && names.every((one) => one.type === 'ImportSpecifier')
    return isNamed && /\b[A-Z][A-Z0-9_]*\b/.test(names[0]!['imported']['name'] ?? '')
      ? [{ specifier: sourceOf(node), node }]
      : []
  })

/** Statements of the script; those of a Svelte component are within its elements. */
const scriptStatements = (ast: Node): readonly Node[] =>
  (ast['body'] as Node[]).flatMap((one) =>
    one.type === 'SvelteScriptElement' ? (one['body'] as Node[]) : [one],
  )

/** Returns undefined if the component has no script to import in. */
function importPosition(
  { sourceCode: { text }, filename }: RuleContext,
  {
    existing,
    last,
    directive,
    start,
  }: {
    readonly existing: Node | undefined
    readonly last: Node | undefined
    readonly directive: Node | undefined
    readonly start: number
  },
): ImportPosition | undefined {
  const newLine = { names: [], indent: '', before: '\n', after: '' }
  if (existing) {
    const specifiers = existing['specifiers'] as Node[]
    return {
      at: existing.range[0],
      end: specifiers.at(-1)!.range[1],
      names: specifiers.map((one) => one['local']['name'] as string),
      indent: indentOf(text, existing),
      before: '',
      after: '',
    }
  }
  if (last) return { ...newLine, at: last.range[1], indent: indentOf(text, last) }
  if (filename.endsWith('.vue')) {
    const setup = /<script\b[^>]*\bsetup\b[^>]*>/.exec(text)
    return setup ? { ...newLine, at: setup.index + setup[0].length } : undefined
  }
  if (filename.endsWith('.svelte')) {
    const script = /<script(?![^>]*\bmodule\b)[^>]*>/.exec(text)
    return script
      ? { ...newLine, at: script.index + script[0].length, indent: '  ' }
      : { ...newLine, at: 0, indent: '  ', before: '<script>\n', after: '\n</script>\n\n' }
  }
  return directive
    ? { ...newLine, at: directive.range[1] }
    : { ...newLine, at: start, before: '', after: '\n\n' }
}

/** Returns where a statement begins, or the comments that belong to it. */
function startOf(text: string, statement: Node | undefined): number {
  const start = statement?.range[0] ?? 0
  const before = text.slice(0, start)
  const comments = /(?:^|\n[\t ]*\r?\n)(?![^]*\n[\t ]*\r?\n)([^]*)$/.exec(before)?.[1] ?? ''
  const isOfFile = /^#!|@(?:ts-|jsx|file|license|vitest|jest)|(?:es|ox)lint-disable(?!-next)/
  return isOfFile.test(comments) ? start : start - comments.length
}

/** @param keys and the comments of the new ones */
function importEdits(
  keys: ReadonlyMap<string, string | undefined>,
  specifier: string,
  { at, end, indent, before, after }: ImportPosition,
): readonly Edit[] {
  const names = [...keys.keys()].join(', ')
  const comments = [...keys.values()].filter((comment) => comment !== undefined)
  if (end !== undefined) {
    const lines = comments.map((comment) => `${comment}\n${indent}`).join('')
    return [...(lines ? [insert(at, lines)] : []), insert(end, `, ${names}`)]
  }
  const statement = `import { ${names} } from '${specifier}'`
  const lines = [...comments, statement].map((line) => indent + line).join('\n')
  return [insert(at, before + lines + after)]
}

const insert = (at: number, text: string): Edit => ({ range: [at, at], text })

const indentOf = (text: string, node: Node): string => {
  const start = text.lastIndexOf('\n', node.range[0]) + 1
  return /^\s*/.exec(text.slice(start, node.range[0]))![0]
}
