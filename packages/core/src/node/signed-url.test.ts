import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SignedRequest, signPath, verifySignature } from './signed-url.ts'

// Names with path segments are rejected when an upload starts; addresses do not contain
// them.
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((name) => name !== '.' && name !== '..')
const requests: fc.Arbitrary<SignedRequest> = fc.record({
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
  const request = {
    method: query.get('method') as SignedRequest['method'],
    projectKey: projectKey!,
    itemId: itemId!,
    name: name!,
    expires: Number(query.get('expires')),
    limit: Number(query.get('limit')),
  }
  return { request, signature: query.get('signature')! }
}

describe('a signed URL', () => {
  it('allows only the request that it was signed for', () => {
    fc.assert(
      fc.property(requests, requests, (request, other) => {
        const { request: parsed, signature } = read(signPath(request, 'key'))
        expect(parsed).toEqual(request)
        expect(verifySignature(parsed, signature, request.method, 'key', 999)).toBeUndefined()
        expect(verifySignature(parsed, signature, request.method, 'other key', 999)).toContain(
          'signed',
        )
        expect(verifySignature(parsed, signature, 'DELETE', 'key', 999)).toContain('method')
        expect(
          verifySignature(parsed, signature, request.method, 'key', request.expires),
        ).toContain('expired')
        for (const name of Object.keys(request) as (keyof SignedRequest)[]) {
          if (request[name] === other[name]) continue
          const changed = { ...request, [name]: other[name] }
          expect(verifySignature(changed, signature, changed.method, 'key', 999)).toContain(
            'signed',
          )
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

  it('allows HEAD where it allows GET, and nowhere else', () => {
    const answer = (method: SignedRequest['method']) => {
      const path = signPath(
        { method, projectKey: 'a', itemId: 'b', name: 'c', expires: 1000, limit: 0 },
        'key',
      )
      const { request, signature } = read(path)
      return verifySignature(request, signature, 'HEAD', 'key', 999)
    }
    expect(answer('GET')).toBeUndefined()
    expect(answer('PUT')).toContain('method')
    expect(answer('POST')).toContain('method')
  })
})
