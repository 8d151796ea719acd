/**
 * Simulates the placement of projects on the nodes of a distributed database, by the hash of the
 * project and by its size.
 *
 *     node packages/bench/tenant-placement.mjs
 */
import { createHash } from 'node:crypto'

/** @typedef {{ readonly id: string, readonly size: number }} Item project or shard */
/** @typedef {ReadonlyMap<string, number>} Placement numbers of nodes by id */

const projects = 10_000
const nodes = 16
/** Shards that an engine places as a whole; Citus has 32 by default. */
const shards = [32, 256, 1024]
/** Exponents of Zipf's law: the project of rank n has the size n^-s. */
const exponents = [0.8, 1, 1.2]

/** @param {string} text */
const hashOf = (text) => createHash('sha256').update(text).digest().readUInt32BE(0)
/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0)
/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)} %`

/** @param {number} count */
const zeros = (count) => Array.from({ length: count }, () => 0)
/** @param {readonly number[]} numbers @param {number} index */
const at = (numbers, index) => numbers[index] ?? 0
/** @param {number[]} numbers @param {number} index @param {number} value */
const add = (numbers, index, value) => {
  numbers[index] = at(numbers, index) + value
}
/** @param {Placement} placed @param {string} id */
const nodeOf = (placed, id) => placed.get(id) ?? 0

/** @param {number} exponent @returns {readonly Item[]} */
const sizesOf = (exponent) =>
  Array.from({ length: projects }, (_, index) => ({
    id: `project ${index + 1}`,
    size: (index + 1) ** -exponent,
  }))

/**
 * Combines what has the same shard.
 *
 * @param {readonly Item[]} items
 * @param {number} count
 * @returns {readonly Item[]}
 */
function shardsOf(items, count) {
  const sizes = zeros(count)
  for (const { id, size } of items) add(sizes, hashOf(id) % count, size)
  return sizes.map((size, index) => ({ id: `shard ${index}`, size }))
}

/**
 * Assigns items in turn, as engines do that know no sizes.
 *
 * @param {readonly Item[]} items
 * @param {number} count
 */
const inTurn = (items, count) => new Map(items.map(({ id }, index) => [id, index % count]))

/**
 * Assigns the largest items first, each to the node with the least.
 *
 * @param {readonly Item[]} items
 * @param {number} count
 * @returns {Placement}
 */
function bySize(items, count) {
  const loads = zeros(count)
  /** @type {Map<string, number>} */
  const placed = new Map()
  for (const { id, size } of items.toSorted((a, b) => b.size - a.size)) {
    const node = loads.indexOf(Math.min(...loads))
    add(loads, node, size)
    placed.set(id, node)
  }
  return placed
}

/**
 * @param {readonly Item[]} items
 * @param {Placement} placed
 * @param {number} count
 */
function loadsOf(items, placed, count) {
  const loads = zeros(count)
  for (const { id, size } of items) add(loads, nodeOf(placed, id), size)
  return loads
}

/**
 * Moves items to a new node until it has its share: from the fullest node that has one, the largest
 * item that leaves this node its own share.
 *
 * @param {readonly Item[]} items
 * @param {Placement} placed
 */
function addNode(items, placed) {
  const result = new Map(placed)
  const goal = sum(items.map(({ size }) => size)) / (nodes + 1)
  for (;;) {
    const loads = loadsOf(items, result, nodes + 1)
    /** @param {Item} item */
    const loadOf = ({ id }) => at(loads, nodeOf(result, id))
    const moved = items
      .filter(({ id, size }) => {
        const node = nodeOf(result, id)
        const surplus = Math.min(at(loads, node) - goal, goal - at(loads, nodes))
        return node !== nodes && size <= surplus
      })
      .toSorted((a, b) => loadOf(b) - loadOf(a) || b.size - a.size)[0]
    if (!moved) return result
    result.set(moved.id, nodes)
  }
}

/**
 * @param {readonly Item[]} items
 * @param {Placement} before
 * @param {Placement} after
 */
const moves = (items, before, after) => items.filter(({ id }) => before.get(id) !== after.get(id))

/** @type {(string | number)[][]} */
const rows = []
for (const exponent of exponents) {
  const all = sizesOf(exponent)
  const total = sum(all.map(({ size }) => size))
  /**
   * @param {string} name
   * @param {readonly Item[]} items
   * @param {Placement} before
   * @param {Placement} after
   */
  const measure = (name, items, before, after) => {
    const moved = moves(items, before, after)
    rows.push([
      exponent,
      name,
      percent(Math.max(...loadsOf(items, before, nodes)) / total),
      percent(Math.max(...loadsOf(items, after, nodes + 1)) / total),
      moved.length,
      percent(sum(moved.map(({ size }) => size)) / total),
    ])
  }
  /** @param {number} count */
  const modulo = (count) => new Map(all.map(({ id }) => [id, hashOf(id) % count]))
  measure('hash of the project modulo nodes', all, modulo(nodes), modulo(nodes + 1))
  for (const count of shards) {
    const items = shardsOf(all, count)
    const placed = inTurn(items, nodes)
    measure(`${count} shards by hash, in turn`, items, placed, addNode(items, placed))
  }
  const sharded = shardsOf(all, 256)
  const balanced = bySize(sharded, nodes)
  measure('256 shards by hash, by size', sharded, balanced, addNode(sharded, balanced))
  const single = bySize(all, nodes)
  measure('each project by size', all, single, addNode(all, single))
  rows.push([
    exponent,
    'largest project',
    percent(Math.max(...all.map(({ size }) => size)) / total),
    '',
    '',
    '',
  ])
}
const header = ['s', 'placement', 'largest node', 'with a 17th node', 'moved', 'moved data']
console.log(
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
)
