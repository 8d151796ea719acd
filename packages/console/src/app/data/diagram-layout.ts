import type { Relation } from './relations.ts'

/** Schema as the diagram shows it: its name, and a line for each field. */
export interface DiagramNode {
  readonly name: string
  readonly fields: readonly string[]
}

/** Place of a schema, in pixels. */
export interface Box extends DiagramNode {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Line from a field to the schema that it refers to. */
interface Edge extends Relation {
  /** Cubic curve. */
  readonly path: string
  /** Places of the cardinalities, next to both boxes. */
  readonly start: readonly [x: number, y: number]
  readonly end: readonly [x: number, y: number]
}

export interface Diagram {
  readonly boxes: readonly Box[]
  readonly edges: readonly Edge[]
  readonly width: number
  readonly height: number
}

export const headerHeight = 28
export const rowHeight = 18
const padding = 10
const columnGap = 90
const rowGap = 24
const margin = 16
/** Width of a character of the monospaced font. */
const characterWidth = 7.3
const minWidth = 120
/** Sweeps that bring boxes near to those that they are connected to. */
const sweeps = 4

/**
 * Places schemas in columns: what others refer to stands on the left of them. Schemas without
 * relations are in rows below.
 */
export function layoutDiagram(
  nodes: readonly DiagramNode[],
  relations: readonly Relation[],
): Diagram {
  const ranks = rankNodes(nodes, relations)
  const isConnected = ({ name }: DiagramNode): boolean =>
    relations.some(({ from, to }) => from === name || to === name)
  const columns: DiagramNode[][] = []
  for (const node of nodes.filter(isConnected)) (columns[ranks.get(node.name)!] ??= []).push(node)
  const connected = placeColumns(sortColumns(columns, relations))
  const bottom = Math.max(0, ...connected.map(({ y, height }) => y + height))
  const right = Math.max(0, ...connected.map(({ x, width }) => x + width))
  const others = nodes.filter((node) => !isConnected(node))
  const boxes = [
    ...connected,
    ...placeRows(others, bottom === 0 ? margin : bottom + rowGap, Math.max(right, 900)),
  ]
  const byName = new Map(boxes.map((box) => [box.name, box]))
  const edges = relations.map((relation) =>
    connect(relation, byName.get(relation.from)!, byName.get(relation.to)!),
  )
  return {
    boxes,
    edges,
    width: Math.max(...boxes.map(({ x, width }) => x + width), 0) + margin + columnGap / 2,
    height: Math.max(...boxes.map(({ y, height }) => y + height), 0) + margin,
  }
}

/** Returns the length of the longest chain of references from each schema; cycles end there. */
function rankNodes(
  nodes: readonly DiagramNode[],
  relations: readonly Relation[],
): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  const open = new Set<string>()
  const rankOf = (name: string): number => {
    const known = ranks.get(name)
    if (known !== undefined) return known
    open.add(name)
    const targets = relations.filter(({ from, to }) => from === name && !open.has(to))
    const rank = Math.max(-1, ...targets.map(({ to }) => rankOf(to))) + 1
    open.delete(name)
    ranks.set(name, rank)
    return rank
  }
  for (const { name } of nodes) rankOf(name)
  return ranks
}

/** Sorts each column by the mean place of what its schemas are connected to in the others. */
function sortColumns(
  columns: readonly (readonly DiagramNode[])[],
  relations: readonly Relation[],
): readonly (readonly DiagramNode[])[] {
  let sorted = columns.map((column) => [...column])
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const places = new Map(
      sorted.flatMap((column) =>
        column.map(({ name }, index) => [name, (index + 0.5) / column.length] as const),
      ),
    )
    const meanOf = ({ name }: DiagramNode): number => {
      const neighbours = relations.flatMap(({ from, to }) =>
        from === name ? [to] : to === name ? [from] : [],
      )
      const sum = neighbours.reduce((total, one) => total + places.get(one)!, 0)
      return sum / neighbours.length
    }
    sorted = sorted.map((column) => column.toSorted((a, b) => meanOf(a) - meanOf(b)))
  }
  return sorted
}

const sizeOf = ({ name, fields }: DiagramNode): Pick<Box, 'width' | 'height'> => ({
  width: Math.max(
    minWidth,
    ...[name, ...fields].map((line) => Math.ceil(line.length * characterWidth) + 2 * padding),
  ),
  height: headerHeight + fields.length * rowHeight + padding,
})

function placeColumns(columns: readonly (readonly DiagramNode[])[]): readonly Box[] {
  const boxes: Box[] = []
  let x = margin
  for (const column of columns) {
    let y = margin
    let widest = 0
    for (const node of column) {
      const size = sizeOf(node)
      boxes.push({ ...node, x, y, ...size })
      y += size.height + rowGap
      widest = Math.max(widest, size.width)
    }
    x += widest + columnGap
  }
  return boxes
}

function placeRows(nodes: readonly DiagramNode[], top: number, maxRight: number): readonly Box[] {
  const boxes: Box[] = []
  let [x, y, tallest] = [margin, top, 0]
  for (const node of nodes) {
    const size = sizeOf(node)
    if (x > margin && x + size.width > maxRight) {
      x = margin
      y += tallest + rowGap
      tallest = 0
    }
    boxes.push({ ...node, x, y, ...size })
    x += size.width + rowGap
    tallest = Math.max(tallest, size.height)
  }
  return boxes
}

function connect(relation: Relation, from: Box, to: Box): Edge {
  const row = from.fields.findIndex((line) => line.split(' ')[0] === relation.field)
  const startY = from.y + headerHeight + (row < 0 ? from.fields.length : row + 0.5) * rowHeight
  const endY = to.y + headerHeight / 2
  // A schema that refers to itself, or back within a cycle, is connected on the right.
  const isBack = from.x <= to.x
  const startX = isBack ? from.x + from.width : from.x
  const endX = to.x + to.width
  const bend = columnGap / 2
  const [first, second] = isBack
    ? [Math.max(startX, endX) + bend, Math.max(startX, endX) + bend]
    : [startX - bend, endX + bend]
  return {
    ...relation,
    path: `M${startX},${startY} C${first},${startY} ${second},${endY} ${endX},${endY}`,
    start: [startX + (isBack ? 8 : -8), startY - 4],
    end: [endX + 8, endY - 4],
  }
}
