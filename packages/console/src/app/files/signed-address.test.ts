import { objectPath, signPath, verifySignature } from '@servicekit/core/node'
import { expect, it } from 'vitest'
import { readSignedAddress, tamper, type Tampering, tamperings } from './signed-address.ts'

const origin = 'http://127.0.0.1:4600'
const file = { projectKey: 'P/1', itemId: 'file-1', name: 'a b/ü.png' }
const request = { ...file, method: 'GET', expires: 2000, limit: 0 } as const
const signed = `${origin}${signPath(request, 'key')}`

it('reads what a signed URL permits, and until when', () => {
  expect(readSignedAddress(signed)).toEqual({
    method: 'GET',
    fileId: 'file-1',
    fileName: 'a b/ü.png',
    expiresAt: new Date(2_000_000),
    limitBytes: 0,
  })
})

it.each(['', 'nonsense', `${origin}/console/`, `${origin}${objectPath(file)}`])(
  'does not read %j',
  (text) => {
    expect(readSignedAddress(text)).toBeUndefined()
  },
)

it.each(Object.keys(tamperings) as Tampering[])('changes the URL by "%s"', (how) => {
  const changed = new URL(tamper(signed, how))
  const [, , , projectKey, itemId, name] = changed.pathname.split('/').map(decodeURIComponent)
  const { method, expires, limit, signature } = Object.fromEntries(changed.searchParams)
  const asked = {
    method: method as 'GET',
    projectKey: projectKey!,
    itemId: itemId!,
    name: name!,
    expires: Number(expires),
    limit: Number(limit),
  }
  expect(verifySignature(asked, signature!, 'GET', 'key', 1000)).toBe(
    'it was not signed by this platform',
  )
})
