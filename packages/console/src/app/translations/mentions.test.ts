import { expect, it } from 'vitest'
import { completeName, mentionedIn, suggestPeople, typedName } from './mentions.ts'

const people = ['Ada', 'Ada Lovelace', 'Grace Hopper', 'José $&'].map((name) => ({
  id: name.toLowerCase(),
  name,
}))
const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name)

it('finds the people who are mentioned, and not those whose name is a part of another', () => {
  expect(namesOf(mentionedIn('@Ada Lovelace, @Grace Hopper?', people))).toEqual([
    'Ada Lovelace',
    'Grace Hopper',
  ])
  expect(namesOf(mentionedIn('@Ada and @Ada Lovelace', people))).toEqual(['Ada Lovelace', 'Ada'])
  expect(mentionedIn('Ada, ada@example.com', people)).toEqual([])
})

it('suggests people while a name is typed after an @', () => {
  expect(typedName('Ask @gra')).toBe('gra')
  expect(typedName('@')).toBe('')
  expect(typedName('ada@example.com')).toBe(undefined)
  expect(typedName('Ask @gra\nnow')).toBe(undefined)
  expect(namesOf(suggestPeople('hop', people))).toEqual(['Grace Hopper'])
  expect(namesOf(suggestPeople('ada l', people))).toEqual(['Ada Lovelace'])
  expect(suggestPeople('', people)).toEqual(people)
  expect(suggestPeople('Grace Hopper?', people)).toEqual([])
})

it('completes a name as it is, whatever characters it has', () => {
  expect(completeName('Ask @jos', people[3]!)).toBe('Ask @José $& ')
  expect(completeName('a@b.example @gra', people[2]!)).toBe('a@b.example @Grace Hopper ')
})
