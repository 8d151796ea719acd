import { expect, it } from 'vitest'
import { createPeopleTest, markOf, readPeopleFilter } from './people-filter.ts'

const marks = [
  { module: 'm', key: 'A', languages: ['de', 'fr'] },
  { module: 'm', key: 'B', languages: [null] },
]
const found = (text: string, language = '') => {
  const fulfils = createPeopleTest(readPeopleFilter(text)!, marks, language)
  return ['A', 'B', 'C'].filter((key) => fulfils({ module: 'm', key }))
}

it('reads a filter with its person', () => {
  expect(readPeopleFilter('assigned:user-1:a')).toEqual({ kind: 'assigned', person: 'user-1:a' })
  expect(readPeopleFilter('nobody')).toEqual({ kind: 'nobody' })
  expect(readPeopleFilter('')).toBeUndefined()
  expect(readPeopleFilter('everything:1')).toBeUndefined()
  expect(markOf({ kind: 'nobody' })).toEqual({ kind: 'assigned' })
  expect(markOf({ kind: 'changed', person: 'x' })).toEqual({ kind: 'changed', person: 'x' })
})

it('shows the messages with a mark in the language, or as a whole', () => {
  expect(found('assigned:x')).toEqual(['A', 'B'])
  expect(found('comments', 'de')).toEqual(['A', 'B'])
  expect(found('comments', 'en')).toEqual(['B'])
})

it('shows the messages that nobody has', () => {
  expect(found('nobody')).toEqual(['C'])
  expect(found('nobody', 'en')).toEqual(['A', 'C'])
})
