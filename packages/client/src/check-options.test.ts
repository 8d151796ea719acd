import { expect, it } from 'vitest'
import { checkOptions } from './check-options.ts'
import { ConfigError } from './errors.ts'

const known = ['baseUrl', 'projectKey']

it('accepts known options with any value', () => {
  expect(() =>
    checkOptions('client option', { baseUrl: undefined, projectKey: 7 }, known),
  ).not.toThrow()
})

it('rejects an unknown option and suggests the closest known one', () => {
  expect(() => checkOptions('client option', { projectkey: 'P1' }, known)).toThrow(
    new ConfigError('Unknown client option "projectkey". Did you mean "projectKey"?'),
  )
})
