import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Box, layoutDiagram } from './diagram-layout.ts'
import type { Relation } from './relations.ts'

const relation = (from: string, to: string, field = `${to}Id`): Relation => ({
  from,
  field,
  to,
  isArray: false,
  isNested: false,
})
const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const diagrams = fc
  .uniqueArray(fc.stringMatching(/^[A-Z][A-Za-z]{0,30}$/), { maxLength: 30 })
  .chain((names) => {
    const name = names.length > 0 ? fc.constantFrom(...names) : fc.constant('')
    return fc.record({
      nodes: fc.constant(names).chain((all) =>
        fc.tuple(
          ...all.map((one) =>
            fc.record({
              name: fc.constant(one),
              fields: fc.array(fc.string({ maxLength: 30 }), { maxLength: 9 }),
            }),
          ),
        ),
      ),
      relations:
        names.length === 0
          ? fc.constant([])
          : fc
              .array(fc.tuple(name, name), { maxLength: 60 })
              .map((pairs) => pairs.map(([from, to]) => relation(from, to))),
    })
  })

describe('the layout of a diagram', () => {
  it('shows every schema and every relation, and no boxes overlap', () => {
    fc.assert(
      fc.property(diagrams, ({ nodes, relations }) => {
        const { boxes, edges, width, height } = layoutDiagram(nodes, relations)
        expect(boxes.map(({ name }) => name).toSorted()).toEqual(
          nodes.map(({ name }) => name).toSorted(),
        )
        expect(edges).toHaveLength(relations.length)
        expect(edges.every(({ path }) => !/NaN|undefined|Infinity/.test(path))).toBe(true)
        for (const [index, box] of boxes.entries()) {
          expect(boxes.slice(index + 1).filter((other) => overlap(box, other))).toEqual([])
          expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width).toBe(true)
          expect(box.y + box.height).toBeLessThanOrEqual(height)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('puts referenced schemas to the left of those that refer to them', () => {
    const nodes = ['OrderLine', 'Order', 'Customer', 'Product'].map((name) => ({
      name,
      fields: [],
    }))
    const { boxes } = layoutDiagram(nodes, [
      relation('OrderLine', 'Order'),
      relation('OrderLine', 'Product'),
      relation('Order', 'Customer'),
    ])
    const x = Object.fromEntries(boxes.map((box) => [box.name, box.x]))
    expect(x['Customer']).toBe(x['Product'])
    expect(x['Customer']).toBeLessThan(x['Order']!)
    expect(x['Order']).toBeLessThan(x['OrderLine']!)
  })

  it('draws cycles and a schema that refers to itself', () => {
    const nodes = ['A', 'B'].map((name) => ({ name, fields: ['ParentId ID'] }))
    const relations = [relation('A', 'B'), relation('B', 'A'), relation('A', 'A', 'ParentId')]
    const { edges, width } = layoutDiagram(nodes, relations)
    const ends = edges.flatMap(({ path }) => path.match(/[\d.]+(?=,)/g)!.map(Number))
    expect(Math.max(...ends)).toBeLessThanOrEqual(width)
  })

  it('is empty without schemas', () => {
    expect(layoutDiagram([], [])).toMatchObject({ boxes: [], edges: [] })
  })
})
