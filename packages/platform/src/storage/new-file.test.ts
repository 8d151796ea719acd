import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newFile, systemNameOf } from './new-file.ts'

const body = { name: 'a.txt' }

describe('a request for an upload', () => {
  it('has defaults', () => {
    expect(newFile(body)).toEqual({
      name: 'a.txt',
      parentDirectoryId: null,
      accessModifier: 'Private',
      metaData: {},
      tags: [],
      moduleName: 8,
    })
  })

  it.each([
    ['["a","b","a"]', ['a', 'b']],
    ['a, b ,,a', ['a', 'b']],
    ['[1]', ['1']],
    ['{"a":1}', ['{"a":1}']],
    ['', []],
  ])('reads the tags %s', (tags, expected) => {
    expect(newFile({ ...body, tags })).toMatchObject({ tags: expected })
  })

  it.each([
    ['{"a":{"type":"X","value":1}}', { a: { type: 'X', value: 1 } }],
    [
      '{"a":true,"b":{"value":"t"}}',
      { a: { type: 'Boolean', value: true }, b: { type: 'String', value: 't' } },
    ],
    ['plain', { metaData: { type: 'String', value: 'plain' } }],
    ['[1]', { metaData: { type: 'String', value: '[1]' } }],
  ])('reads the metadata %s', (metaData, expected) => {
    expect(newFile({ ...body, metaData })).toMatchObject({ metaData: expected })
  })

  it('accepts an unknown module code', () => {
    expect(newFile({ ...body, moduleName: 99 })).toMatchObject({ moduleName: 99 })
  })

  it('never throws, and accepts no name that leaves the folder', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.string(),
        (name, tags, metaData) => {
          const file = newFile({ name, tags, metaData })
          fc.pre(!('errors' in file))
          expect(file.name).not.toMatch(/[/\\\0]/)
          expect(['.', '..']).not.toContain(file.name)
          expect(systemNameOf('id', file.name)).toMatch(/^id(\.\w{1,10})?$/)
        },
      ),
    )
  })
})
