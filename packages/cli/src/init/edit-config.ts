import type { ArrayExpression, ObjectExpression } from '@babel/types'
import { replaceText, type FileEdit, type ManualEdit } from './edits.ts'
import {
  addImport,
  defaultExport,
  findBuildOptions,
  findConfigObject,
  importsFrom,
  parseModule,
  unwrap,
} from './syntax.ts'

/** Plugin to add to a configuration file. */
export interface PluginUse {
  /** Module that exports the plugin: `@servicekit/unplugin/vite`. */
  readonly from: string
  /** Exported function: `uilm`. */
  readonly name: string
  /** Property that lists the plugins: `plugins`, or `vite`, `plugins`. */
  readonly path: readonly string[]
}

const importOf = ({ name, from }: Pick<PluginUse, 'from' | 'name'>) => ({
  names: `{ ${name} }`,
  from,
})

const ownPackage = /^@servicekit\/unplugin(?:\/|$)/

/** Adds `uilm()` to the plugins of a configuration file. */
export function addPlugin(
  path: string,
  text: string,
  use: PluginUse,
): FileEdit | ManualEdit | undefined {
  const file = parseModule(path, text)
  const refuse = (reason: string): ManualEdit => ({ path, reason, lines: pluginLines(use) })
  if (!file) return refuse('it cannot be parsed')
  if (importsFrom(file, ownPackage)) return undefined
  const config = findConfigObject(file) ?? findBuildOptions(file)
  if (!config) return refuse('its default export is not an object that can be edited')
  const change = insertPlugin(text, config, use)
  if (change === undefined) return refuse(`its ${use.path.join('.')} is not a list`)
  return replaceText(path, text, addImport(path, change.text, importOf(use)))
}

/** Wraps the default export of a configuration file: `withUilm(config)`. */
export function wrapConfig(
  path: string,
  text: string,
  use: Pick<PluginUse, 'from' | 'name'>,
): FileEdit | ManualEdit | undefined {
  const file = parseModule(path, text)
  const refuse = (reason: string): ManualEdit => ({
    path,
    reason,
    lines: [`import { ${use.name} } from '${use.from}'`, `export default ${use.name}(config)`],
  })
  if (!file) return refuse('it cannot be parsed')
  if (importsFrom(file, ownPackage)) return undefined
  const exported = defaultExport(file)
  if (!exported || exported.type === 'FunctionDeclaration' || exported.type === 'ClassDeclaration')
    return refuse('it has no default export that can be wrapped')
  const inner = text.slice(exported.start!, exported.end!)
  const wrapped = `${text.slice(0, exported.start!)}${use.name}(${inner})${text.slice(exported.end!)}`
  return replaceText(path, text, addImport(path, wrapped, importOf(use)))
}

/** Returns the lines that add a plugin by hand. */
export function pluginLines({ from, name, path }: PluginUse): readonly string[] {
  const [outer, inner] = path
  const list = `plugins: [${name}()]`
  return [
    `import { ${name} } from '${from}'`,
    `export default { ${inner === undefined ? list : `${outer}: { ${list} }`} }`,
  ]
}

function insertPlugin(
  text: string,
  config: ObjectExpression,
  { name, path }: PluginUse,
): { readonly text: string } | undefined {
  const call = `${name}()`
  let object = config
  for (const [depth, key] of path.entries()) {
    const property = object.properties.find(
      (one) =>
        (one.type === 'ObjectProperty' || one.type === 'ObjectMethod') &&
        !one.computed &&
        ((one.key.type === 'Identifier' && one.key.name === key) ||
          (one.key.type === 'StringLiteral' && one.key.value === key)),
    )
    if (!property) return { text: insertProperty(text, object, path.slice(depth), call) }
    if (property.type !== 'ObjectProperty') return undefined
    const value = unwrap(property.value)
    if (depth === path.length - 1) {
      return value.type === 'ArrayExpression'
        ? { text: insertElement(text, value, call) }
        : undefined
    }
    if (value.type !== 'ObjectExpression') return undefined
    object = value
  }
  return undefined
}

/** Appends an element to a list, in the layout of the others. */
export function insertElement(text: string, array: ArrayExpression, call: string): string {
  const last = array.elements.at(-1)
  if (!last) return splice(text, array.start! + 1, call)
  const isOnOwnLine = /\n\s*$/.test(text.slice(0, last.start!))
  return splice(
    text,
    last.end!,
    isOnOwnLine ? `,\n${indentAt(text, last.start!)}${call}` : `, ${call}`,
  )
}

function insertProperty(
  text: string,
  object: ObjectExpression,
  path: readonly string[],
  call: string,
): string {
  const outer = indentAt(text, object.start!)
  const last = object.properties.at(-1)
  const unit = last && text.slice(object.start!, last.start!).includes('\n') ? undefined : '  '
  const indent = unit === undefined ? indentAt(text, last!.start!) : outer + unit
  const step = indent.slice(outer.length) || '  '
  const value = path
    .slice(1)
    .reduceRight((inner, key) => `{\n${indent}${step}${key}: ${inner},\n${indent}}`, `[${call}]`)
  const property = `${path[0]}: ${value}`
  if (!last) {
    const start = object.start!
    return `${text.slice(0, start)}{\n${indent}${property},\n${outer}}${text.slice(object.end!)}`
  }
  if (unit === undefined) return splice(text, last.end!, `,\n${indent}${property}`)
  return splice(text, last.end!, `, ${property}`)
}

const splice = (text: string, at: number, inserted: string): string =>
  text.slice(0, at) + inserted + text.slice(at)

/** Returns the indentation of the line at a position. */
function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1
  return /^[ \t]*/.exec(text.slice(start))![0]
}
