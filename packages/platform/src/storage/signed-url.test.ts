import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPermit, type Permit, signPath } from './signed-url.ts'

// Names with path segments are rejected when an upload starts; addresses do not contain
// them.
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((name) => name !== '.' && name !== '..')
const permits: fc.Arbitrary<Permit> = fc.record({
  method: fc.constantFrom('PUT', 'GET', 'POST'),
  projectKey: text,
  itemId: text,
  name: text,
  expires: fc.integer({ min: 1000, max: 2000 }),
  limit: fc.nat(),
})

/** Parses the address as the route does. */
function read(path: string) {
  const url = new URL(path, 'http://platform.local')
  const [projectKey, itemId, name] = url.pathname.split('/').slice(3).map(decodeURIComponent)
  const query = url.searchParams
  const permit = {
    method: query.get('method') as Permit['method'],
    projectKey: projectKey!,
    itemId: itemId!,
    name: name!,
    expires: Number(query.get('expires')),
    limit: Number(query.get('limit')),
  }
  return { permit, signature: query.get('signature')! }
}

describe('a signed address', () => {
  it('permits what it was made for, and nothing else', () => {
    fc.assert(
      fc.property(permits, permits, (permit, other) => {
        const { permit: said, signature } = read(signPath(permit, 'key'))
        expect(said).toEqual(permit)
        expect(checkPermit(said, signature, permit.method, 'key', 999)).toBeUndefined()
        expect(checkPermit(said, signature, permit.method, 'other key', 999)).toContain('signed')
        expect(checkPermit(said, signature, 'DELETE', 'key', 999)).toContain('method')
        expect(checkPermit(said, signature, permit.method, 'key', permit.expires)).toContain('over')
        for (const name of Object.keys(permit) as (keyof Permit)[]) {
          if (permit[name] === other[name]) continue
          const changed = { ...permit, [name]: other[name] }
          expect(checkPermit(changed, signature, changed.method, 'key', 999)).toContain('signed')
        }
      }),
      {
        examples: [
          [
            { method: 'PUT', projectKey: 'a', itemId: 'b/c', name: 'd', expires: 1000, limit: 1 },
            { method: 'PUT', projectKey: 'a/b', itemId: 'c', name: 'd', expires: 1000, limit: 1 },
          ],
        ],
      },
    )
  })
})
