import { createRequire } from 'node:module'
import type * as YamlModule from 'yaml'
import { memoize } from '@servicekit/core'
import { isJsonObject, type JsonNode, type JsonObject, PlacedSyntaxError } from './json-tree.ts'

type Yaml = typeof YamlModule

/** Loaded only for folders that have such files. */
export const loadYaml = memoize(
  (_: undefined): Yaml => createRequire(import.meta.url)('yaml') as Yaml,
)

/**
 * Parses a YAML file.
 *
 * @throws PlacedSyntaxError
 */
export function parseYamlDocument(text: string): YamlModule.Document.Parsed {
  const document = loadYaml(undefined).parseDocument(text, {
    prettyErrors: false,
    uniqueKeys: false,
  })
  const [error] = document.errors
  if (error)
    throw new PlacedSyntaxError(error.message.toLowerCase().replace(/\.$/, ''), error.pos[0])
  return document as YamlModule.Document.Parsed
}

/** Most nodes of a file, so that its aliases cannot multiply without end. */
const maxNodes = 1_000_000

/**
 * Parses a YAML file with the place of each property. Numbers and booleans are the text that is
 * written, as translators mean it.
 *
 * @throws PlacedSyntaxError
 */
export function parseYamlTree(text: string): JsonNode {
  const yaml = loadYaml(undefined)
  const document = parseYamlDocument(text)
  let count = 0
  const read = (node: unknown, above: readonly unknown[]): JsonNode => {
    if (++count > maxNodes || above.length > 500) {
      throw new PlacedSyntaxError('it has too many nodes, or is nested too deeply', 0)
    }
    if (yaml.isAlias(node)) {
      const target = node.resolve(document)
      if (target === undefined || above.includes(target)) {
        throw new PlacedSyntaxError(
          `the alias ${node.source} cannot be resolved`,
          node.range?.[0] ?? 0,
        )
      }
      return read(target, above)
    }
    if (yaml.isMap(node)) return readMap(node, [...above, node])
    if (yaml.isScalar(node)) {
      const { value } = node
      const isText = typeof value === 'string' || value === null
      return { value: isText ? value : (node.source ?? String(value)), raw: '' }
    }
    return { value: yaml.isNode(node) ? [] : null, raw: '' }
  }
  const readMap = (map: YamlModule.YAMLMap, above: readonly unknown[]): JsonObject => {
    const entries: JsonObject['entries'] = new Map()
    const merged: JsonObject['entries'] = new Map()
    for (const { key, value } of map.items) {
      const name = yaml.isScalar(key) ? (key.source ?? String(key.value)) : String(key)
      const offset = (yaml.isNode(key) ? key.range?.[0] : undefined) ?? 0
      const mergedNodes =
        name === '<<' && yaml.isScalar(key) && key.type === 'PLAIN'
          ? (yaml.isSeq(value) ? value.items : [value]).map((one) => read(one, above))
          : []
      const objects = mergedNodes.filter(isJsonObject)
      for (const inner of objects) {
        for (const [one, property] of inner.entries) {
          if (!merged.has(one)) merged.set(one, property)
        }
      }
      if (objects.length === 0) {
        entries.set(name, { rawName: name, offset, node: read(value, above) })
      }
    }
    for (const [key, property] of merged) if (!entries.has(key)) entries.set(key, property)
    return { entries }
  }
  return document.contents === null ? { entries: new Map() } : read(document.contents, [])
}
