import { expect, it } from 'vitest'
import { isLoopbackHost, isLoopbackUrl } from './loopback.ts'

it.each([
  'localhost',
  'LOCALHOST',
  'app.localhost',
  'localhost.',
  '127.0.0.1',
  '127.8.9.10',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
])('treats the host %s as loopback', (host) => {
  expect(isLoopbackHost(host)).toBe(true)
})

it.each([
  '',
  '127.evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evillocalhost',
  '.localhost',
  'localhost..',
  '10.0.0.1',
  '128.0.0.1',
  '::2',
  '127.0.0.1:80',
])('treats the host %j as remote', (host) => {
  expect(isLoopbackHost(host)).toBe(false)
})

it('reads the host of a URL, and rejects other strings', () => {
  expect(isLoopbackUrl('http://[::1]:4600/path')).toBe(true)
  expect(isLoopbackUrl('http://127.1:4600')).toBe(true)
  expect(isLoopbackUrl('http://127.evil.example:4600')).toBe(false)
  expect(isLoopbackUrl('http://user@evil.example#127.0.0.1')).toBe(false)
  expect(isLoopbackUrl('localhost:4600')).toBe(false)
  expect(isLoopbackUrl('null')).toBe(false)
})
