import { describe, expect, it } from 'vitest'
import { findClosest, unknownName } from './closest.ts'

const options = ['baseUrl', 'projectKey', 'languages', 'modules', 'timeoutMs', 'totalTimeoutMs']

describe('findClosest', () => {
  it.each([
    ['baseURL', 'baseUrl'],
    ['base_url', 'baseUrl'],
    ['url', 'baseUrl'],
    ['projectkey', 'projectKey'],
    ['lang', 'languages'],
    ['langauges', 'languages'],
    ['module', 'modules'],
    ['timeout', 'timeoutMs'],
    ['TOTALTIMEOUT', 'totalTimeoutMs'],
  ])('finds the name meant by %s: %s', (name, meant) => {
    expect(findClosest(name, options)).toBe(meant)
  })

  it('finds a swapped letter in a short name', () => {
    expect(findClosest('dve', ['pull', 'dev'])).toBe('dev')
  })

  it.each(['colour', 'x', ''])('finds nothing similar to %j', (name) => {
    expect(findClosest(name, options)).toBeUndefined()
  })

  it('finds nothing for short names without a common letter', () => {
    expect(findClosest('OK', ['NO', 'A'])).toBeUndefined()
  })
})

describe('unknownName', () => {
  it('suggests the closest name', () => {
    expect(unknownName('option', 'langauges', options)).toBe(
      'Unknown option "langauges". Did you mean "languages"?',
    )
  })

  it('lists the known names if none is similar', () => {
    expect(unknownName('command', 'paint', ['dev', 'pull'])).toBe(
      'Unknown command "paint". Known commands: dev, pull.',
    )
  })
})
