import { operations } from '@servicekit/contract'
import { control } from '@servicekit/testing/people'
import { describe, expect, it } from 'vitest'
import { type Dialect, dialectMembers } from '@servicekit/contract/control'
import { allCases } from './operations/all-cases.ts'
import type { OperationCase } from './operations/operation-case.ts'
import { openWorld } from './operations/world.ts'

type Name = keyof Dialect
const names = Object.keys(dialectMembers) as Name[]
const valuesOf = (name: Name): readonly string[] => dialectMembers[name].options
const pairOf = (one: Name, value: string, other: Name, otherValue: string): string =>
  [`${one}=${value}`, `${other}=${otherValue}`].toSorted().join(' ')

/** Returns all pairs of values of two members. */
function allPairs(): Set<string> {
  const pairs = new Set<string>()
  for (const [index, one] of names.entries()) {
    for (const other of names.slice(index + 1)) {
      for (const value of valuesOf(one)) {
        for (const otherValue of valuesOf(other)) pairs.add(pairOf(one, value, other, otherValue))
      }
    }
  }
  return pairs
}

/** Returns dialects that together have every pair of values of two members. */
function coveringDialects(): readonly Dialect[] {
  const missing = allPairs()
  const dialects: Dialect[] = []
  while (missing.size > 0) {
    const first = [...missing][0]!.split(' ').map((one) => one.split('=') as [Name, string])
    const chosen = new Map<Name, string>(first)
    for (const name of names) {
      if (chosen.has(name)) continue
      const gainOf = (value: string): number =>
        [...chosen].filter(([other, otherValue]) =>
          missing.has(pairOf(name, value, other, otherValue)),
        ).length
      chosen.set(name, valuesOf(name).toSorted((a, b) => gainOf(b) - gainOf(a))[0]!)
    }
    for (const [one, value] of chosen) {
      for (const [other, otherValue] of chosen)
        missing.delete(pairOf(one, value, other, otherValue))
    }
    dialects.push(Object.fromEntries(chosen) as Dialect)
  }
  return dialects
}

const dialects = coveringDialects()
/** Returns the cases of an operation that succeed, and one that is refused. */
function requestsOf(id: string): readonly OperationCase[] {
  const refused = allCases[id]!.find(({ status }) => status >= 400)
  return [...allCases[id]!.filter(({ status }) => status < 400), ...(refused ? [refused] : [])]
}

const projectKeys = ['P', 'U', 'R', 'T', 'N']

/** Operations that responded with success, in any dialect. */
const succeeded = new Set<string>()

describe('in every pair of dialect members', () => {
  it.each(dialects.map((dialect) => [JSON.stringify(dialect), dialect] as const))(
    'every operation responds without an error of the platform: %s',
    async (_, dialect) => {
      const world = await openWorld()
      for (const key of projectKeys) {
        await control(world.platform, key, 'PUT', '/dialect', dialect)
      }
      const failed: unknown[] = []
      for (const { route } of operations) {
        for (const { when, send } of requestsOf(route.id)) {
          const response = await send(world)
          if (response.ok) succeeded.add(route.id)
          if (response.status >= 500) failed.push([route.id, when, await response.text()])
        }
      }
      await world.platform.close()
      expect(failed).toEqual([])
    },
  )

  it('every operation has responded with success', () => {
    expect(operations.map(({ route }) => route.id).filter((id) => !succeeded.has(id))).toEqual([])
  })
})
