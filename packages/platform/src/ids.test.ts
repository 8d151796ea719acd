import { expect, it } from 'vitest'
import { idGenerator } from './ids.ts'

it('generates the same ids for the same seed', () => {
  const take = (seed?: string) => {
    const newId = idGenerator(seed)
    return [newId(), newId()]
  }
  expect(take('1')).toEqual(take('1'))
  expect(new Set([...take('1'), ...take('2'), ...take(), ...take()]).size).toBe(8)
  expect(take('1')[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
