import type { Node as YamlNode, Pair, YAMLMap } from 'yaml'
import { parseYamlDocument } from '@servicekit/core'
import { loadYaml } from '../sources/load-yaml.ts'
import { type EditableFile, type EditableMap, editObjects } from './editable-map.ts'

/**
 * Opens a YAML translation file for editing. Comments, order, quotes and indentation stay as they
 * are.
 *
 * @param text Empty for a new file.
 * @throws SyntaxError if it is not a YAML map.
 */
export function editYaml(text: string): EditableFile {
  const yaml = loadYaml(undefined)
  const document = parseYamlDocument(text, yaml)
  document.contents ??= yaml.parseDocument('{}').contents as never
  const { contents } = document
  if (!yaml.isMap(contents)) throw new SyntaxError('it is not an object')
  if (text.trim() === '') contents.flow = false
  const edits = editObjects(mapOf(contents), {
    nodeOf: (value) => document.createNode(value),
    valueOf: (node: YamlNode) => node.toJS(document) as unknown,
  })
  return {
    ...edits,
    print() {
      const printed = document.toString({
        lineWidth: 0,
        indent: /\n( +)[^\s#-]/.exec(`\n${text}`)?.[1]?.length ?? 2,
        flowCollectionPadding: /\{ /.test(text),
      })
      const lines = text === '' || text.endsWith('\n') ? printed : printed.replace(/\n$/, '')
      return text.includes('\r\n') ? lines.replaceAll(/\r?\n/g, '\r\n') : lines
    },
  }
}

function mapOf(map: YAMLMap): EditableMap<YamlNode> {
  const yaml = loadYaml(undefined)
  const nameOf = ({ key }: Pair): string =>
    yaml.isScalar(key) ? (key.source ?? String(key.value)) : String(key)
  const find = (name: string): Pair | undefined => map.items.find((pair) => nameOf(pair) === name)
  return {
    names: () => map.items.map(nameOf),
    object(name) {
      const value = find(name)?.value
      return yaml.isMap(value) ? mapOf(value) : undefined
    },
    // A name without a value is an empty text.
    node(name) {
      const pair = find(name)
      return pair && ((pair.value ?? new yaml.Scalar(null)) as YamlNode)
    },
    put(name, node) {
      const pair = find(name)
      if (pair) pair.value = node
      else map.items.push(new yaml.Pair(new yaml.Scalar(name), node))
    },
    addObject(name) {
      const inner = new yaml.YAMLMap()
      map.items.push(new yaml.Pair(new yaml.Scalar(name), inner))
      return mapOf(inner)
    },
    remove(name) {
      map.items = map.items.filter((pair) => nameOf(pair) !== name)
    },
    rename(name, to) {
      const pair = find(name)!
      const key = new yaml.Scalar(to)
      if (yaml.isScalar(pair.key)) {
        const { commentBefore, spaceBefore } = pair.key
        Object.assign(key, { commentBefore, spaceBefore })
      }
      pair.key = key
    },
    sort(names) {
      const byName = new Map(map.items.map((pair) => [nameOf(pair), pair]))
      map.items = names.map((name) => byName.get(name)!)
    },
  }
}
