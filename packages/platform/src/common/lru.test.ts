import { expect, it } from 'vitest'
import { lru } from './lru.ts'

it('forgets what was not asked for longest', () => {
  const cache = lru<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
})

it('weighs entries, and replaces them', () => {
  const cache = lru<string>(10, (text) => text.length)
  cache.set('a', 'xxxxx')
  cache.set('b', 'xxxxx')
  cache.set('a', 'x')
  cache.set('c', 'xxxx')
  expect(cache.size()).toBe(3)
  cache.set('d', 'x')
  expect([cache.get('b'), cache.size()]).toEqual([undefined, 3])
})

it('keeps an entry that is too heavy alone', () => {
  const cache = lru<string>(2, (text) => text.length)
  cache.set('a', 'x')
  cache.set('b', 'xxxxx')
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'xxxxx'])
  cache.set('c', 'x')
  expect([cache.get('b'), cache.get('c')]).toEqual([undefined, 'x'])
})
