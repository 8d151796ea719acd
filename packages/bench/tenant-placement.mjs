/**
 * Simulates the placement of projects on the nodes of a distributed database, by the hash of the
 * project and by its size.
 *
 *     node packages/bench/tenant-placement.mjs
 */
import { createHash } from 'node:crypto'

const projects = 10_000
const nodes = 16
/** Shards that an engine places as a whole; Citus has 32 by default. */
const shards = [32, 256, 1024]
/** Exponents of Zipf's law: the project of rank n has the size n^-s. */
const exponents = [0.8, 1, 1.2]

const hashOf = (text) => createHash('sha256').update(text).digest().readUInt32BE(0)
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0)
const percent = (share) => `${(share * 100).toFixed(1)} %`

const sizesOf = (exponent) =>
  Array.from({ length: projects }, (_, index) => ({
    id: `project ${index + 1}`,
    size: (index + 1) ** -exponent,
  }))

/** Combines what has the same shard. */
function shardsOf(items, count) {
  const sizes = Array.from({ length: count }, () => 0)
  for (const { id, size } of items) sizes[hashOf(id) % count] += size
  return sizes.map((size, index) => ({ id: `shard ${index}`, size }))
}

/** Assigns items in turn, as engines do that know no sizes. */
const inTurn = (items, count) => new Map(items.map(({ id }, index) => [id, index % count]))

/** Assigns the largest items first, each to the node with the least. */
function bySize(items, count) {
  const loads = Array.from({ length: count }, () => 0)
  const placed = new Map()
  for (const { id, size } of items.toSorted((a, b) => b.size - a.size)) {
    const node = loads.indexOf(Math.min(...loads))
    loads[node] += size
    placed.set(id, node)
  }
  return placed
}

function loadsOf(items, placed, count) {
  const loads = Array.from({ length: count }, () => 0)
  for (const { id, size } of items) loads[placed.get(id)] += size
  return loads
}

/**
 * Moves items to a new node until it has its share: from the fullest node that has one, the largest
 * item that leaves this node its own share.
 */
function addNode(items, placed) {
  const result = new Map(placed)
  const goal = sum(items.map(({ size }) => size)) / (nodes + 1)
  for (;;) {
    const loads = loadsOf(items, result, nodes + 1)
    const moved = items
      .filter(({ id, size }) => {
        const surplus = Math.min(loads[result.get(id)] - goal, goal - loads[nodes])
        return result.get(id) !== nodes && size <= surplus
      })
      .toSorted((a, b) => loads[result.get(b.id)] - loads[result.get(a.id)] || b.size - a.size)[0]
    if (!moved) return result
    result.set(moved.id, nodes)
  }
}

const moves = (items, before, after) => items.filter(({ id }) => before.get(id) !== after.get(id))

const rows = []
for (const exponent of exponents) {
  const all = sizesOf(exponent)
  const total = sum(all.map(({ size }) => size))
  const add = (name, items, before, after) => {
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
  const modulo = (count) => new Map(all.map(({ id }) => [id, hashOf(id) % count]))
  add('hash of the project modulo nodes', all, modulo(nodes), modulo(nodes + 1))
  for (const count of shards) {
    const items = shardsOf(all, count)
    const placed = inTurn(items, nodes)
    add(`${count} shards by hash, in turn`, items, placed, addNode(items, placed))
  }
  const sharded = shardsOf(all, 256)
  const balanced = bySize(sharded, nodes)
  add('256 shards by hash, by size', sharded, balanced, addNode(sharded, balanced))
  const single = bySize(all, nodes)
  add('each project by size', all, single, addNode(all, single))
  rows.push([exponent, 'largest project', percent(all[0].size / total), '', '', ''])
}
const header = ['s', 'placement', 'largest node', 'with a 17th node', 'moved', 'moved data']
console.log(
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
)
