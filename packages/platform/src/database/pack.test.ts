import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type PackInput, readPack, writePack } from './pack.ts'

it('reads what it writes', () => {
  const path = fc.string({ minLength: 1, maxLength: 40 })
  const input: fc.Arbitrary<PackInput> = fc.oneof(
    fc.record({ path }),
    fc.record({ path, body: fc.uint8Array({ maxLength: 200 }) }),
  )
  fc.assert(
    fc.property(fc.array(input, { maxLength: 8 }), (inputs) => {
      expect(readPack(writePack(inputs))).toEqual(inputs)
    }),
  )
})
