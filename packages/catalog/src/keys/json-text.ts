import { byCodePoint, isObject } from '@servicekit/core'

/** Object of a translation file: texts, or objects of them. */
type Tree = { [name: string]: unknown }

/** Translation file that can be edited without changing its format. */
export interface EditableFile {
  readonly has: (key: string) => boolean
  readonly set: (key: string, value: unknown) => void
  /** Removes a key. Returns its value; undefined if there is none. */
  readonly take: (key: string) => unknown
  readonly isChanged: () => boolean
  readonly print: () => string
}

/**
 * Opens a translation file for editing. Indentation, line endings, byte order mark and a final
 * line break stay as they are. A dotted key goes into the nested objects of a file that has
 * such objects; a file in alphabetical order stays in order.
 *
 * @param text Empty for a new file.
 * @throws SyntaxError if it is not a JSON object.
 */
export function editJson(text: string): EditableFile {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : ''
  const root: unknown = JSON.parse(text.slice(bom.length) || '{}')
  if (!isTree(root)) throw new SyntaxError('it is not an object')
  const isNested = Object.values(root).some(isObject)
  let isChanged = false
  return {
    has: (key) => find(root, key) !== undefined,
    isChanged: () => isChanged,
    set(key, value) {
      isChanged = true
      const found = find(root, key)
      if (found) {
        found.object[found.name] = value
        return
      }
      const position = isNested ? nestedPosition(root, key) : { object: root, name: key }
      flatten(position)
      insert(position.object, position.name, value)
    },
    take(key) {
      const found = find(root, key)
      if (!found) return undefined
      isChanged = true
      const { [found.name]: value } = found.object
      delete found.object[found.name]
      removeEmpty(root)
      return value
    },
    print() {
      const isOneLine = /\{.*\S.*\}/.test(text) && !text.trim().includes('\n')
      const indent = isOneLine ? undefined : (/\n([ \t]+)"/.exec(text)?.[1] ?? '  ')
      const json = JSON.stringify(root, null, indent)
      const end = text === '' || text.endsWith('\n') ? '\n' : ''
      const lines = `${json}${end}`
      return bom + (text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines)
    },
  }
}

const isTree = (value: unknown): value is Tree => isObject(value)

interface Position {
  readonly object: Tree
  readonly name: string
}

/** Returns the position of a key, flat or nested; undefined if there is none. */
function find(object: Tree, key: string): Position | undefined {
  if (Object.hasOwn(object, key) && !isObject(object[key])) return { object, name: key }
  for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
    const inner = Object.hasOwn(object, key.slice(0, dot)) ? object[key.slice(0, dot)] : undefined
    const found = isObject(inner) ? find(inner as Tree, key.slice(dot + 1)) : undefined
    if (found) return found
  }
  return undefined
}

/** Returns the nested position of a new key, creating objects; flat if the parent is a string. */
function nestedPosition(root: Tree, key: string): Position {
  const path = key.split('.')
  const name = path.pop()!
  const flat = { object: root, name: key }
  const [object, missing] = descend(root, path)
  if (!object || path.includes('') || name === '') return flat
  if (missing.length === 0 && Object.hasOwn(object, name)) return flat
  let last = object
  for (const one of missing) {
    const inner: Tree = {}
    insert(last, one, inner)
    last = inner
  }
  return { object: last, name }
}

/** Follows a path of objects. Returns the last one, none if the parent is a string, and the rest. */
function descend(root: Tree, path: readonly string[]): [Tree | undefined, readonly string[]] {
  let object = root
  for (const [index, name] of path.entries()) {
    if (!Object.hasOwn(object, name)) return [object, path.slice(index)]
    const inner = object[name]
    if (!isObject(inner)) return [undefined, []]
    object = inner as Tree
  }
  return [object, []]
}

/** Moves the keys of an object out of the way of a key with its name. */
function flatten({ object, name }: Position): void {
  const inner = Object.hasOwn(object, name) ? object[name] : undefined
  if (!isObject(inner)) return
  delete object[name]
  for (const [one, value] of Object.entries(inner)) {
    const position = { object, name: `${name}.${one}` }
    insert(object, position.name, value)
    flatten(position)
  }
}

/** Adds a property: in order if the others are in alphabetical order, otherwise last. */
function insert(object: Tree, name: string, value: unknown): void {
  const names = Object.keys(object)
  const order = [byCodePoint, ignoringCase].find((compare) =>
    names.every((one, index) => index === 0 || compare(names[index - 1]!, one) <= 0),
  )
  define(object, name, value)
  if (!order || names.length < 2) return
  const entries = Object.entries(object).sort(([a], [b]) => order(a, b))
  for (const one of Object.keys(object)) delete object[one]
  for (const [one, inner] of entries) define(object, one, inner)
}

/** Sets a property, also one named `__proto__`. */
const define = (object: Tree, name: string, value: unknown): unknown =>
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })

const ignoringCase = (a: string, b: string): number => byCodePoint(a.toLowerCase(), b.toLowerCase())

/** Removes objects that became empty. */
function removeEmpty(object: Tree): void {
  for (const [name, inner] of Object.entries(object)) {
    if (!isObject(inner)) continue
    removeEmpty(inner as Tree)
    if (Object.keys(inner).length === 0) delete object[name]
  }
}
