import { expect, it } from 'vitest'
import { formatLeaks, readLeaks } from '../lib/leaks.mjs'

const recorded = `{"name":"vite","languages":0,"unused":2}
{"name":"nuxt","requests":400,"wrong":1,"between":0}
{"name":"nuxt","requests":10000,"wrong":0,"between":0}
{"name":"nuxt","languages":0,"unused":0}
`

it('combines the figures of a framework and puts frameworks before bundlers', () => {
  expect(readLeaks(recorded)).toEqual([
    { name: 'nuxt', requests: 10_000, wrong: 0, between: 0, languages: 0, unused: 0 },
    { name: 'vite', languages: 0, unused: 2 },
  ])
})

it('leaves the cells empty that were not measured', () => {
  const lines = formatLeaks(readLeaks(recorded)).trim().split('\n')
  expect(lines.slice(-2)).toEqual([
    '| Nuxt | 10,000 | 0 | 0 | 0 | 0 |',
    '| vite |  |  |  | 0 | 2 |',
  ])
})
