import { byCodePoint } from '@servicekit/core'
import { ts } from 'ts-morph'
import { propertyName } from '../usage/scopes.ts'
import type { Edit } from '../edit/edits.ts'

/** Option that lists what a template can use. */
type MemberList = 'methods' | 'components'

/** Options of a component without `<script setup>`. Its template can use the methods. */
export interface VueOptions {
  readonly object: ts.ObjectLiteralExpression
  /** Values of `methods` and `components`. */
  readonly members: Readonly<Record<MemberList, ts.ObjectLiteralExpression | undefined>>
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
  const find = (name: string): ts.ObjectLiteralElementLike | undefined =>
    object.properties.find((one) => one.name && propertyName(one.name) === name)
  if (find('i18n')) return 'the component has messages of its own'
  const valueOf = (name: MemberList): ts.ObjectLiteralExpression | 'other' | undefined => {
    const found = find(name)
    if (!found) return undefined
    const value = ts.isPropertyAssignment(found) ? found.initializer : undefined
    return value && ts.isObjectLiteralExpression(value) ? value : 'other'
  }
  const [methods, components] = [valueOf('methods'), valueOf('components')]
  if (methods === 'other') return 'the methods of the component are not an object literal'
  if (components === 'other') return 'the components of the component are not an object literal'
  return { object, members: { methods, components }, listed: listedIn(object) }
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

/** Returns the edit that adds names to the methods or components of a component. */
export function memberEdits(
  source: ts.SourceFile,
  { object, members }: VueOptions,
  option: MemberList,
  names: readonly string[],
): readonly Edit[] {
  const known = members[option]
  const present = known?.properties.map((one) => one.name && propertyName(one.name)) ?? []
  const list = names.filter((name) => !present.includes(name)).sort(byCodePoint)
  if (list.length === 0) return []
  const target = known ?? object
  const start = target.getStart(source) + 1
  const [first] = target.properties
  const indent = first ? lineIndent(source, first.getStart(source)) : undefined
  if (!known) {
    const text = `${option}: { ${list.join(', ')} },`
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
