import { describe, expect, it } from 'vitest'
import * as codes from './codes.ts'

describe.each(Object.entries(codes))('%s', (name, values: Readonly<Record<string, number>>) => {
  it('numbers the meanings without gaps', () => {
    // A schema is an entity or nested; there is no None.
    const meanings = name === 'SchemaType' ? ['None', ...Object.keys(values)] : Object.keys(values)
    expect(meanings[0]).toBe(name === 'AccessLevel' ? 'Inherited' : 'None')
    for (const [meaning, code] of Object.entries(values)) expect(meanings[code]).toBe(meaning)
  })
})
