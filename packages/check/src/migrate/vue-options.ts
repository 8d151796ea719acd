import { byCodePoint } from '@servicekit/core'
import { ts } from 'ts-morph'
import { propertyName } from '../usage/scopes.ts'
import type { Edit } from './edits.ts'

/** Options of a component without `<script setup>`. Its template can use the methods. */
export interface VueOptions {
  readonly object: ts.ObjectLiteralExpression
  /** Value of `methods`. */
  readonly methods: ts.ObjectLiteralExpression | undefined
  /** Strings in lists, which may name properties: `props: ['title']`. */
  readonly listed: readonly string[]
}

/**
 * Reads `export default { … }` or `export default defineComponent({ … })`. Returns a reason if its
 * template cannot be given messages.
 */
export function readVueOptions({ statements }: ts.SourceFile): VueOptions | string {
  const exported = statements.find(ts.isExportAssignment)?.expression
  const object =
    exported && ts.isCallExpression(exported) && exported.arguments.length === 1
      ? exported.arguments[0]
      : exported
  if (!object || !ts.isObjectLiteralExpression(object)) {
    return 'the template cannot use names of its script'
  }
  const [methods, messages] = ['methods', 'i18n'].map((name) =>
    object.properties.find((one) => one.name && propertyName(one.name) === name),
  )
  if (messages) return 'the component has messages of its own'
  const value = methods && ts.isPropertyAssignment(methods) ? methods.initializer : undefined
  if (methods && !(value && ts.isObjectLiteralExpression(value))) {
    return 'the methods of the component are not an object literal'
  }
  return {
    object,
    methods: value as ts.ObjectLiteralExpression | undefined,
    listed: listedIn(object),
  }
}

function listedIn(node: ts.Node): readonly string[] {
  const found: string[] = []
  const visit = (one: ts.Node): void => {
    if (ts.isStringLiteralLike(one) && ts.isArrayLiteralExpression(one.parent)) found.push(one.text)
    ts.forEachChild(one, visit)
  }
  visit(node)
  return found
}

/** Returns the edit that adds messages to the methods of a component. */
export function methodEdits(
  source: ts.SourceFile,
  { object, methods }: VueOptions,
  names: readonly string[],
): readonly Edit[] {
  const present = methods?.properties.map((one) => one.name && propertyName(one.name)) ?? []
  const list = names.filter((name) => !present.includes(name)).sort(byCodePoint)
  if (list.length === 0) return []
  const target = methods ?? object
  const start = target.getStart(source) + 1
  const [first] = target.properties
  const indent = first ? lineIndent(source, first.getStart(source)) : undefined
  if (!methods) {
    const text = `methods: { ${list.join(', ')} },`
    return [{ start, end: start, text: indent === undefined ? ` ${text}` : `\n${indent}${text}` }]
  }
  const text =
    indent === undefined ? ` ${list.join(', ')},` : `\n${indent}${list.join(`,\n${indent}`)},`
  // Without the comma if there is no method.
  return [{ start, end: start, text: first ? text : text.replace(/,$/, ' ') }]
}

/** Returns the white space before the first code of a line; undefined for other places. */
function lineIndent({ text }: ts.SourceFile, at: number): string | undefined {
  const before = /\n([ \t]*)$/.exec(text.slice(0, at))
  return before?.[1]
}

/** Names that Vue's templates take from the global object. */
export const vueGlobals: readonly string[] = [
  'Infinity',
  'undefined',
  'NaN',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'Math',
  'Number',
  'Date',
  'Array',
  'Object',
  'Boolean',
  'String',
  'RegExp',
  'Map',
  'Set',
  'JSON',
  'Intl',
  'BigInt',
  'console',
  'Error',
  'Symbol',
]
