import type {
  ArrayExpression,
  Node,
  ObjectExpression,
  ObjectMethod,
  ObjectProperty,
} from '@babel/types'
import { replaceText, type FileEdit, type ManualEdit } from './edits.ts'
import {
  addImport,
  defaultExport,
  findBuildOptions,
  findCall,
  findConfigObject,
  findFirstObject,
  importsFrom,
  parseModule,
  unwrap,
} from './syntax.ts'

/** Plugin to add to a configuration file. */
export interface PluginUse {
  /** Module that exports the plugin: `@servicekit/unplugin/vite`. */
  readonly from: string
  /** Exported function: `uilm`. Without it, the configuration names the module itself. */
  readonly name?: string
  /** Property that lists the plugins: `plugins`, or `vite`, `plugins`. */
  readonly path: readonly string[]
  /** Module with a plugin that must not be used beside it. */
  readonly replaces?: string
}

/** Function around the whole configuration: `withUilm(config)`. */
export type ConfigWrapper = Required<Pick<PluginUse, 'from' | 'name'>>

/** Returns the expression that a configuration lists. */
const elementOf = ({ name, from }: Pick<PluginUse, 'from' | 'name'>): string =>
  name === undefined ? `'${from}'` : `${name}()`

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
  if (use.replaces !== undefined && importsFrom(file, use.replaces)) {
    const reason = `it adds ${use.replaces}, which must be replaced`
    return { ...refuse(reason), isCertain: true }
  }
  // A module that is only named needs no import.
  if (importsFrom(file, ownPackage) || text.includes(use.from)) return undefined
  const config = findConfigObject(file) ?? findBuildOptions(file)
  if (!config) return refuse('its default export is not an object that can be edited')
  const change = insertPlugin(text, config, use)
  if (change === undefined) return refuse(`its ${use.path.join('.')} is not a list`)
  return replaceText(path, text, importPlugin(path, change.text, use))
}

const importPlugin = (
  path: string,
  text: string,
  { name, from }: Pick<PluginUse, 'from' | 'name'>,
): string => (name === undefined ? text : addImport(path, text, { names: `{ ${name} }`, from }))

/** Wraps the default export of a configuration file: `withUilm(config)`. */
export function wrapConfig(
  path: string,
  text: string,
  use: ConfigWrapper,
): FileEdit | ManualEdit | undefined {
  const file = parseModule(path, text)
  const refuse = (reason: string): ManualEdit => ({ path, reason, lines: wrapperLines(use) })
  if (!file) return refuse('it cannot be parsed')
  if (importsFrom(file, ownPackage)) return undefined
  const exported = defaultExport(file)
  if (!exported || exported.type === 'FunctionDeclaration' || exported.type === 'ClassDeclaration')
    return refuse('it has no default export that can be wrapped')
  const inner = text.slice(exported.start!, exported.end!)
  const wrapped = `${text.slice(0, exported.start!)}${use.name}(${inner})${text.slice(exported.end!)}`
  return replaceText(path, text, importPlugin(path, wrapped, use))
}

/** Returns the lines that wrap a configuration by hand. */
export const wrapperLines = ({ name, from }: ConfigWrapper): readonly string[] => [
  `import { ${name} } from '${from}'`,
  `export default ${name}(config)`,
]

/** Returns the lines that add a plugin by hand. */
export function pluginLines(use: PluginUse): readonly string[] {
  const { from, name, path } = use
  const property = path.reduceRight((inner, key) => `{ ${key}: ${inner} }`, `[${elementOf(use)}]`)
  return [
    ...(name === undefined ? [] : [`import { ${name} } from '${from}'`]),
    `export default ${property}`,
  ]
}

function insertPlugin(
  text: string,
  config: ObjectExpression,
  use: PluginUse,
): { readonly text: string } | undefined {
  const { path } = use
  const call = elementOf(use)
  let object = config
  for (const [depth, key] of path.entries()) {
    const property = findProperty(object, key)
    if (!property) return { text: insertProperty(text, object, path.slice(depth), `[${call}]`) }
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

/** Returns the property of an object literal; undefined if it has none with that name. */
const findProperty = (
  { properties }: ObjectExpression,
  key: string,
): ObjectMethod | ObjectProperty | undefined =>
  properties.find(
    (one): one is ObjectMethod | ObjectProperty =>
      one.type !== 'SpreadElement' &&
      !one.computed &&
      ((one.key.type === 'Identifier' && one.key.name === key) ||
        (one.key.type === 'StringLiteral' && one.key.value === key)),
  )

/** Option to set in a configuration file. */
export interface ConfigOption {
  /** Names of the properties, from the outside: `future`, `v8_middleware`. */
  readonly path: readonly string[]
  /** Source text of the value. */
  readonly value: string
  /** Function whose first argument is edited; by default the whole configuration is. */
  readonly call?: string
}

/** Sets an option in a configuration file, unless it has a value. */
export function setOption(
  path: string,
  text: string,
  option: ConfigOption,
): FileEdit | ManualEdit | undefined {
  const { call, value } = option
  const assignment = option.path.reduceRight((inner, key) => `{ ${key}: ${inner} }`, value)
  const refuse = (reason: string): ManualEdit => ({
    path,
    reason,
    lines: [call === undefined ? `export default ${assignment}` : `${call}(${assignment})`],
  })
  const file = parseModule(path, text)
  if (!file) return refuse('it cannot be parsed')
  const found = call === undefined ? undefined : findCall(file, call)
  if (found?.arguments.length === 0) {
    const at = found.end! - 1
    return replaceText(path, text, splice(text, at, assignment))
  }
  let object = call === undefined ? findConfigObject(file) : found && findFirstObject(found, file)
  for (const [depth, key] of option.path.entries()) {
    if (!object) break
    const property = findProperty(object, key)
    if (!property) {
      return replaceText(path, text, insertProperty(text, object, option.path.slice(depth), value))
    }
    if (depth === option.path.length - 1) return undefined
    object = property.type === 'ObjectProperty' ? asObject(property.value) : undefined
  }
  return refuse(`its ${call ?? option.path[0]} is not an object that can be edited`)
}

/**
 * Replaces strings among the outermost options of a configuration file, and adds those that it
 * lacks.
 */
export function replaceStrings(
  path: string,
  text: string,
  values: Readonly<Record<string, string>>,
): FileEdit | ManualEdit | undefined {
  const lines = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)},`)
  const refuse = (reason: string): ManualEdit => ({ path, reason, lines })
  if (path.endsWith('.json')) return replaceText(path, text, mergeJson(text, values))
  let after = text
  for (const [name, value] of Object.entries(values)) {
    const file = parseModule(path, after)
    const object = file && findConfigObject(file)
    if (!object) return refuse('its default export is not an object that can be edited')
    const property = findProperty(object, name)
    if (!property) {
      after = insertProperty(after, object, [name], quote(value))
      continue
    }
    const current = property.type === 'ObjectProperty' ? unwrap(property.value) : property
    if (current.type !== 'StringLiteral') return refuse(`its ${name} is not a string`)
    if (current.value === value) continue
    const isDouble = after[current.start!] === '"'
    after =
      after.slice(0, current.start!) +
      (isDouble ? JSON.stringify(value) : quote(value)) +
      after.slice(current.end!)
  }
  return replaceText(path, text, after)
}

/**
 * Sets the key under which the browser stores the language, in a file `servicekit.config.*` that has
 * none.
 */
export function setStorageKey(
  path: string,
  text: string,
  key: string,
): FileEdit | ManualEdit | undefined {
  if (!path.endsWith('.json')) {
    return setOption(path, text, { path: ['localization', 'storageKey'], value: quote(key) })
  }
  const { localization } = JSON.parse(text) as { readonly localization?: object }
  return replaceText(
    path,
    text,
    mergeJson(text, { localization: { ...localization, storageKey: key } }),
  )
}

function mergeJson(text: string, values: Readonly<Record<string, unknown>>): string {
  const before = JSON.parse(text) as Readonly<Record<string, unknown>>
  if (Object.entries(values).every(([name, value]) => before[name] === value)) return text
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  return `${JSON.stringify({ ...before, ...values }, undefined, indent)}\n`
}

const quote = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const asObject = (node: Node): ObjectExpression | undefined => {
  const value = unwrap(node)
  return value.type === 'ObjectExpression' ? value : undefined
}

function insertProperty(
  text: string,
  object: ObjectExpression,
  path: readonly string[],
  inner: string,
): string {
  const outer = indentAt(text, object.start!)
  const last = object.properties.at(-1)
  const unit = last && text.slice(object.start!, last.start!).includes('\n') ? undefined : '  '
  const indent = unit === undefined ? indentAt(text, last!.start!) : outer + unit
  const step = indent.slice(outer.length) || '  '
  const value = path
    .slice(1)
    .reduceRight((value, key) => `{\n${indent}${step}${key}: ${value},\n${indent}}`, inner)
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
