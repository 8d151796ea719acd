import { expect, it } from 'vitest'
import { selectionOf } from './publish-choice.ts'

const all = {
  languages: ['en-US', 'de-DE'],
  modules: ['auth', 'cart'],
  states: ['translated', 'needsReview', 'reviewed'] as const,
}
const rows = [{ module: 'auth', key: 'SIGN_IN', texts: {} }]
const select = (changes: object) =>
  selectionOf(
    { ...structuredClone(all), isOnlySelected: false, ...changes } as never,
    all as never,
    rows,
  )

it('names only what was not left as it is', () => {
  expect(select({})).toBe(undefined)
  expect(select({ languages: ['de-DE'] })).toEqual({ languages: ['de-DE'] })
  expect(select({ modules: ['cart'], states: ['reviewed'], isOnlySelected: true })).toEqual({
    modules: ['cart'],
    states: ['reviewed'],
    keys: [{ module: 'auth', key: 'SIGN_IN' }],
  })
})

it('is nothing if no language, no module or no state is chosen', () => {
  for (const name of ['languages', 'modules', 'states']) expect(select({ [name]: [] })).toBe(null)
})
