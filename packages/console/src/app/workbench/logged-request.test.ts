import { expect, it } from 'vitest'
import { interfacePath, isOfConsole, pathnameOf, typedCall } from './logged-request.ts'

const request = {
  requestId: 'r',
  at: '2026-01-01T00:00:00Z',
  method: 'POST',
  path: '/idp/v1/Iam/GetUsers?a=1',
  operation: 'idp.listUsers',
  project: 'P',
  status: 200,
  durationMs: 1,
}

it('knows the requests of the console', () => {
  expect(isOfConsole(request)).toBe(false)
  expect(isOfConsole({ ...request, requestId: 'console-1' })).toBe(true)
})

it('returns the path of an operation that a control route called', () => {
  const path = '/_platform/projects/P/interface/iam/v4/iam/users?x=1'
  expect(interfacePath({ path })).toBe('/iam/v4/iam/users?x=1')
  expect(pathnameOf({ path })).toBe('/iam/v4/iam/users')
  expect(pathnameOf({ path: '/_platform/projects/P/keys' })).toBe('/_platform/projects/P/keys')
})

it('calls operations of the client, and nothing else', () => {
  expect(typedCall(request)).toContain('await client.idp.listUsers(')
  expect(typedCall({ ...request, method: 'GET', operation: 'uilm.getFile' })).toBe(
    'const result = await client.localization.getFile()',
  )
  for (const operation of ['control', 'other', 'auth.callback']) {
    expect(typedCall({ ...request, operation })).toBeUndefined()
  }
})
