import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readUser } from './user.ts'
import { listIn, pick } from './operate.ts'

describe('pick', () => {
  it('ignores the casing of names, and returns the first name that exists', () => {
    for (const name of ['access_token', 'accessToken', 'AccessToken', 'ACCESS_TOKEN']) {
      expect(pick({ other: 1, [name]: 'x' }, 'token', 'accessToken')).toBe('x')
    }
    expect(pick({ url: 'b', preSignedUrl: 'a' }, 'preSignedUrl', 'url')).toBe('a')
    expect(pick({ url: 'b', preSignedUrl: null }, 'preSignedUrl', 'url')).toBe('b')
    expect(pick({ url: false }, 'url')).toBe(false)
  })

  it('returns undefined for anything but an object', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer(), fc.array(fc.anything())), (body) => {
        expect(pick(body, 'length', 'data')).toBeUndefined()
      }),
    )
  })
})

describe('listIn', () => {
  it.each([
    ['an array', [1]],
    ['data', { data: [1] }],
    ['items', { items: [1] }],
    ['items in data', { data: { items: [1], totalCount: 1 } }],
    ['another casing', { Data: [1] }],
    ['a name of its own', { organizations: [1], data: null }],
  ])('finds the list in %s', (_, body) => {
    expect(listIn(body, 'organizations')).toEqual([1])
  })

  it('returns undefined if there is no list', () => {
    for (const body of [undefined, null, 'x', {}, { data: 'x' }, { data: { rows: [1] } }]) {
      expect(listIn(body)).toBeUndefined()
    }
  })
})

describe('readUser', () => {
  it.each([
    [{ isVarified: true }, true],
    [{ isVerified: true, isVarified: false }, true],
    [{ isVerified: false }, false],
    [{}, false],
  ])('reads %j', (flags, isVerified) => {
    const user = readUser({ itemId: 'u', ...flags })
    expect(user.isVerified).toBe(isVerified)
    expect(user).not.toHaveProperty('isVarified')
    expect(user.raw).toEqual({ itemId: 'u', ...flags })
  })

  it('derives memberships from roles by organization, and roles from memberships', () => {
    const byOrganization = readUser({
      roles: { o1: ['a'], o2: ['a', 'b'] },
      permissions: { o2: ['p'] },
    })
    expect(byOrganization).toMatchObject({
      roles: ['a', 'b'],
      permissions: ['p'],
      memberships: [
        { organizationId: 'o1', roles: ['a'], permissions: [] },
        { organizationId: 'o2', roles: ['a', 'b'], permissions: ['p'] },
      ],
    })
    const { raw: _, ...shape } = byOrganization
    const given = { memberships: shape.memberships }
    expect(readUser(given)).toMatchObject(shape)
    expect(readUser({ roles: ['x'] })).toMatchObject({ roles: ['x'], memberships: [] })
    expect(readUser({ memberships: [null, 'x', {}] })).toMatchObject({
      memberships: [{ organizationId: '', roles: [], permissions: [] }],
    })
    expect(readUser(null)).toMatchObject({ roles: [], permissions: [], memberships: [] })
  })
})
