import { describe, expect, it } from 'vitest'
import { checkOptions } from './check-options.ts'

const known = ['baseUrl', 'projectKey', 'languages', 'modules', 'timeoutMs', 'totalTimeoutMs']

describe('checkOptions', () => {
  it('lets known options pass, whatever they hold', () => {
    expect(() => checkOptions('options', { baseUrl: undefined, modules: 7 }, known)).not.toThrow()
  })

  it.each([
    ['baseURL', 'baseUrl'],
    ['base_url', 'baseUrl'],
    ['url', 'baseUrl'],
    ['projectkey', 'projectKey'],
    ['lang', 'languages'],
    ['module', 'modules'],
    ['timeout', 'timeoutMs'],
    ['TOTALTIMEOUT', 'totalTimeoutMs'],
  ])('says that for %s probably %s was meant', (name, meant) => {
    expect(() => checkOptions('options', { [name]: 1 }, known)).toThrow(
      `There is no option "${name}" among the options\nDid you mean "${meant}"?`,
    )
  })
})
