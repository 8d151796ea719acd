import { byCodePoint } from '@servicekit/core'

/** Object of a translation file, in any format. Nodes are those of the format. */
export interface EditableMap<Node = unknown> {
  readonly names: () => readonly string[]
  /** Returns the object with a name; undefined for a text, or if there is none. */
  readonly object: (name: string) => EditableMap<Node> | undefined
  readonly node: (name: string) => Node | undefined
  /** Replaces a node, or adds it as the last one. */
  readonly put: (name: string, node: Node) => void
  /** Adds an object as the last node. */
  readonly addObject: (name: string) => EditableMap<Node>
  readonly remove: (name: string) => void
  /** Changes a name without moving its node. */
  readonly rename: (name: string, to: string) => void
  /** Sorts the nodes by a list of all names. */
  readonly sort: (names: readonly string[]) => void
}

/** Conversion of values of a format. */
export interface NodeFormat<Node> {
  readonly nodeOf: (value: unknown) => Node
  readonly valueOf: (node: Node) => unknown
}

/** Translation file that can be edited without changing its format. */
export interface EditableFile {
  /**
   * Returns the keys in the object at a path, which is added with its first key.
   *
   * @throws SyntaxError if there is a text at the path.
   */
  readonly at: (path: readonly string[]) => EditableKeys
  readonly isChanged: () => boolean
  readonly print: () => string
}

/** Keys of an object in a translation file. */
export interface EditableKeys {
  readonly has: (key: string) => boolean
  readonly set: (key: string, value: unknown) => void
  /** Removes a key. Returns its value; undefined if there is none. */
  readonly take: (key: string) => unknown
  /** Renames a key that exists. It keeps its place, unless the file is in alphabetical order. */
  readonly move: (key: string, to: string) => void
}

/** Opens the objects of a file for editing. */
export function editObjects<Node>(
  root: EditableMap<Node>,
  format: NodeFormat<Node>,
): Pick<EditableFile, 'at' | 'isChanged'> {
  let isChanged = false
  const onChange = (): void => void (isChanged = true)
  return {
    isChanged: () => isChanged,
    at(path) {
      const keysOf = (add: boolean): EditableKeys | undefined => {
        const object = objectAt(root, path, add)
        return object && editMap(object, format, onChange)
      }
      return {
        has: (key) => keysOf(false)?.has(key) ?? false,
        set: (key, value) => keysOf(true)!.set(key, value),
        take: (key) => keysOf(false)?.take(key),
        move: (key, to) => keysOf(false)?.move(key, to),
      }
    },
  }
}

/** Returns the object at a path, which is added if it does not exist and `add` is set. */
function objectAt<Node>(
  root: EditableMap<Node>,
  path: readonly string[],
  add: boolean,
): EditableMap<Node> | undefined {
  let object = root
  for (const name of path) {
    const inner = object.object(name)
    if (!inner && object.node(name) !== undefined) throw new SyntaxError(`${name} is not an object`)
    if (!inner && !add) return undefined
    const parent = object
    object = inner ?? insert(parent, name, () => parent.addObject(name))
  }
  return object
}

/** Edits the keys of an object. Dotted keys go into nested objects if it has any. */
function editMap<Node>(
  root: EditableMap<Node>,
  { nodeOf, valueOf }: NodeFormat<Node>,
  onChange: () => void,
): EditableKeys {
  const isNested = root.names().some((name) => root.object(name) !== undefined)
  const put = (key: string, node: Node): void => {
    onChange()
    const found = find(root, key)
    if (found) {
      found.object.put(found.name, node)
      return
    }
    const position = isNested ? nestedPosition(root, key) : { object: root, name: key }
    flatten(position)
    insert(position.object, position.name, () => position.object.put(position.name, node))
  }
  const takeNode = (key: string): Node | undefined => {
    const found = find(root, key)
    if (!found) return undefined
    onChange()
    const node = found.object.node(found.name)
    found.object.remove(found.name)
    removeEmpty(root)
    return node
  }
  return {
    has: (key) => find(root, key) !== undefined,
    set: (key, value) => put(key, nodeOf(value)),
    take(key) {
      const node = takeNode(key)
      return node === undefined ? undefined : valueOf(node)
    },
    move(key, to) {
      const found = find(root, key)!
      const prefix = key.slice(0, key.length - found.name.length)
      const name = to.slice(prefix.length)
      const isBeside = to.startsWith(prefix) && (!isNested || !name.includes('.'))
      const names = found.object.names()
      if (isBeside && name !== '' && !names.includes(name) && !find(root, to)) {
        onChange()
        const order = orderOf(names)
        found.object.rename(found.name, name)
        if (order && names.length > 1) found.object.sort([...found.object.names()].sort(order))
        return
      }
      const node = takeNode(key)
      if (node !== undefined) put(to, node)
    },
  }
}

interface Position<Node> {
  readonly object: EditableMap<Node>
  readonly name: string
}

/** Returns the position of a key, flat or nested; undefined if there is none. */
function find<Node>(object: EditableMap<Node>, key: string): Position<Node> | undefined {
  if (object.node(key) !== undefined && !object.object(key)) return { object, name: key }
  for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
    const inner = object.object(key.slice(0, dot))
    const found = inner && find(inner, key.slice(dot + 1))
    if (found) return found
  }
  return undefined
}

/** Returns the nested position of a new key, creating objects; flat if the parent is a text. */
function nestedPosition<Node>(root: EditableMap<Node>, key: string): Position<Node> {
  const path = key.split('.')
  const name = path.pop()!
  const flat = { object: root, name: key }
  const [object, missing] = descend(root, path)
  if (!object || path.includes('') || name === '') return flat
  if (missing.length === 0 && object.node(name) !== undefined) return flat
  let last = object
  for (const one of missing) {
    const parent = last
    last = insert(parent, one, () => parent.addObject(one))
  }
  return { object: last, name }
}

/** Follows a path of objects. Returns the last one, none if the parent is a text, and the rest. */
function descend<Node>(
  root: EditableMap<Node>,
  path: readonly string[],
): readonly [EditableMap<Node> | undefined, readonly string[]] {
  let object = root
  for (const [index, name] of path.entries()) {
    if (object.node(name) === undefined) return [object, path.slice(index)]
    const inner = object.object(name)
    if (!inner) return [undefined, []]
    object = inner
  }
  return [object, []]
}

/** Moves the keys of an object out of the way of a key with its name. */
function flatten<Node>({ object, name }: Position<Node>): void {
  const inner = object.object(name)
  if (!inner) return
  const nodes = inner.names().map((one) => [one, inner.node(one)!] as const)
  object.remove(name)
  for (const [one, node] of nodes) {
    const position = { object, name: `${name}.${one}` }
    insert(object, position.name, () => object.put(position.name, node))
    flatten(position)
  }
}

/** Adds a node: in order if the others are in alphabetical order, otherwise last. */
function insert<Node, T>(object: EditableMap<Node>, name: string, add: () => T): T {
  const names = object.names()
  const order = orderOf(names)
  const added = add()
  if (!order || names.length < 2) return added
  object.sort([...object.names()].sort(order))
  return added
}

/** Returns the order of names; undefined if they are in none. */
const orderOf = (names: readonly string[]): ((a: string, b: string) => number) | undefined =>
  [byCodePoint, ignoringCase].find((compare) =>
    names.every((one, index) => index === 0 || compare(names[index - 1]!, one) <= 0),
  )

const ignoringCase = (a: string, b: string): number => byCodePoint(a.toLowerCase(), b.toLowerCase())

/** Removes objects that became empty. */
function removeEmpty<Node>(object: EditableMap<Node>): void {
  for (const name of object.names()) {
    const inner = object.object(name)
    if (!inner) continue
    removeEmpty(inner)
    if (inner.names().length === 0) object.remove(name)
  }
}
