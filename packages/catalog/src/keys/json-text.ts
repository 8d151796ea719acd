import {
  isJsonObject,
  type JsonNode,
  type JsonObject,
  type JsonProperty,
  parseJsonTree,
  PlacedSyntaxError,
} from '@servicekit/core'
import { type EditableFile, type EditableMap, editObjects } from './editable-map.ts'

/**
 * Opens a translation file for editing. Order, indentation, line endings, byte order mark and a
 * final line break stay as they are, and so does each value that is not edited. A dotted key goes
 * into the nested objects of a file that has such objects; a file in alphabetical order stays in
 * order.
 *
 * @param text Empty for a new file.
 * @throws SyntaxError if it is not a JSON object, or has two values of a key, of which one would be
 *   lost.
 */
export function editJson(text: string): EditableFile {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : ''
  const root =
    text.slice(bom.length) === '' ? { entries: new Map(), repeated: [] } : parseJsonTree(text)
  if (!isJsonObject(root)) throw new SyntaxError('it is not an object')
  refuseRepeated(root)
  const edits = editObjects(mapOf(root), {
    nodeOf: leafOf,
    valueOf: (node: JsonNode) => (isJsonObject(node) ? undefined : node.value),
  })
  return {
    ...edits,
    print() {
      const isOneLine = /\{.*\S.*\}/.test(text) && !text.trim().includes('\n')
      const json = isOneLine
        ? printOneLine(root, /"\s*:\s/.test(text) ? ' ' : '')
        : printLines(root, /\n([ \t]+)"/.exec(text)?.[1] ?? '  ', '\n')
      const end = text === '' || text.endsWith('\n') ? '\n' : ''
      const lines = `${json}${end}`
      return bom + (text.includes('\r\n') ? lines.replaceAll(/\r?\n/g, '\r\n') : lines)
    },
  }
}

function refuseRepeated({ entries, repeated }: JsonObject): void {
  for (const [name, { node, offset }] of repeated) {
    const last = entries.get(name)!.node
    const isSame = !isJsonObject(node) && !isJsonObject(last) && node.value === last.value
    if (!isSame) {
      throw new PlacedSyntaxError(`the key ${JSON.stringify(name)} has another value below`, offset)
    }
  }
  for (const { node } of entries.values()) if (isJsonObject(node)) refuseRepeated(node)
}

const leafOf = (value: unknown): JsonNode => ({ value, raw: JSON.stringify(value) })

const propertyOf = (name: string, node: JsonNode): JsonProperty => ({
  rawName: JSON.stringify(name),
  offset: 0,
  node,
})

function mapOf({ entries }: JsonObject): EditableMap<JsonNode> {
  const reorder = (properties: readonly (readonly [string, JsonProperty])[]): void => {
    entries.clear()
    for (const [name, property] of properties) entries.set(name, property)
  }
  return {
    names: () => [...entries.keys()],
    object(name) {
      const node = entries.get(name)?.node
      return node && isJsonObject(node) ? mapOf(node) : undefined
    },
    node: (name) => entries.get(name)?.node,
    put: (name, node) => void entries.set(name, propertyOf(name, node)),
    addObject(name) {
      const node: JsonObject = { entries: new Map(), repeated: [] }
      entries.set(name, propertyOf(name, node))
      return mapOf(node)
    },
    remove: (name) => void entries.delete(name),
    rename: (name, to) =>
      reorder(
        [...entries].map(([one, property]) =>
          one === name ? [to, propertyOf(to, property.node)] : [one, property],
        ),
      ),
    sort: (names) => reorder(names.map((name) => [name, entries.get(name)!])),
  }
}

function printLines(node: JsonNode, indent: string, lineBreak: string): string {
  if (!isJsonObject(node)) return node.raw
  if (node.entries.size === 0) return '{}'
  const inner = lineBreak + indent
  const lines = [...node.entries.values()].map(
    (property) => `${inner}${property.rawName}: ${printLines(property.node, indent, inner)}`,
  )
  return `{${lines.join(',')}${lineBreak}}`
}

function printOneLine(node: JsonNode, space: string): string {
  if (!isJsonObject(node)) return node.raw
  const properties = [...node.entries.values()].map(
    (property) => `${property.rawName}:${space}${printOneLine(property.node, space)}`,
  )
  return `{${properties.join(`,${space}`)}}`
}
