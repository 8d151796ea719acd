import type * as YamlModule from 'yaml'
import { isJsonObject, type JsonNode, type JsonObject, PlacedSyntaxError } from './json-tree.ts'

/** The library, which is loaded only for such files. */
export type Yaml = typeof YamlModule

/**
 * Parses a YAML file.
 *
 * @throws PlacedSyntaxError
 */
export function parseYamlDocument(text: string, yaml: Yaml): YamlModule.Document.Parsed {
  const document = yaml.parseDocument(text, {
    prettyErrors: false,
    uniqueKeys: false,
  })
  const [error] = document.errors
  if (error) {
    // The library reports that its stack is exhausted like an error in the text.
    const isTooDeep = /call stack|recursion/.test(error.message)
    const problem = error.message.toLowerCase().replace(/\.$/, '')
    throw new PlacedSyntaxError(isTooDeep ? 'it is nested too deeply' : problem, error.pos[0])
  }
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
export function parseYamlTree(text: string, yaml: Yaml): JsonNode {
  const document = parseYamlDocument(text, yaml)
  const targets = resolveAliases(document, yaml)
  let count = 0
  const read = (node: unknown, above: readonly unknown[]): JsonNode => {
    if (++count > maxNodes || above.length > 500) {
      throw new PlacedSyntaxError('it has too many nodes, or is nested too deeply', 0)
    }
    if (yaml.isAlias(node)) {
      const target = targets.get(node)
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
    const repeated: JsonObject['repeated'] = []
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
        const earlier = entries.get(name)
        if (earlier) repeated.push([name, earlier])
        entries.set(name, { rawName: name, offset, node: read(value, above) })
      }
    }
    for (const [key, property] of merged) if (!entries.has(key)) entries.set(key, property)
    return { entries, repeated }
  }
  return document.contents === null
    ? { entries: new Map(), repeated: [] }
    : read(document.contents, [])
}

/**
 * Returns the nodes that aliases refer to. The library searches the whole document for each alias,
 * which takes minutes in a hostile file.
 */
function resolveAliases(
  document: YamlModule.Document.Parsed,
  yaml: Yaml,
): ReadonlyMap<YamlModule.Alias, YamlModule.Node> {
  const anchors = new Map<string, YamlModule.Node>()
  const targets = new Map<YamlModule.Alias, YamlModule.Node>()
  yaml.visit(document, {
    Alias(_, alias) {
      const target = anchors.get(alias.source)
      if (target) targets.set(alias, target)
    },
    Value(_, node) {
      if (node.anchor) anchors.set(node.anchor, node)
    },
  })
  return targets
}
