import { errors } from 'undici'
import { expect, it } from 'vitest'
import { readConnectionFailure } from './network-node.ts'
import { ProxyError } from './transport.ts'

const failed = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code }) })

it.each([
  ['ECONNREFUSED', false, true],
  ['ENOTFOUND', false, true],
  ['EAI_AGAIN', false, true],
  ['UND_ERR_CONNECT_TIMEOUT', true, true],
  ['ETIMEDOUT', true, false],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', true, false],
  ['ECONNRESET', false, false],
])('reads %s in the cause of an error', (code, isTimeout, neverSent) => {
  expect(readConnectionFailure(failed(code))).toEqual({
    isTimeout,
    neverSent,
    reason: `the connection failed (${code})`,
  })
})

it('knows every timeout of undici', () => {
  const codes = Object.entries(errors)
    .filter(([name]) => name.includes('Timeout'))
    .map(([, TimeoutError]) => new (TimeoutError as new () => { code: string })().code)
  expect(codes).toContain('UND_ERR_HEADERS_TIMEOUT')
  for (const code of codes) {
    expect(readConnectionFailure(failed(code)), code).toMatchObject({ isTimeout: true })
  }
})

it('has the message and the advice of a proxy, and nothing for other errors', () => {
  const cause = failed('ECONNREFUSED')
  expect(
    readConnectionFailure(new ProxyError('the proxy failed', { cause, help: 'Check it.' })),
  ).toEqual({ isTimeout: false, neverSent: true, reason: 'the proxy failed', help: 'Check it.' })
  for (const other of [new Error('broken'), 'text', undefined, null]) {
    expect(readConnectionFailure(other)).toEqual({ isTimeout: false, neverSent: false })
  }
})
