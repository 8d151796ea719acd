import { expect, it } from 'vitest'
import { normaliseHost } from './host.ts'

it.each([
  ['shop.example', 'shop.example'],
  ['SHOP.example', 'shop.example'],
  ['shop.example.', 'shop.example'],
  ['shop.example:80', 'shop.example'],
  ['shop.example.:8443', 'shop.example:8443'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example.', 'xn--bcher-kva.example'],
  ['[0::1]:80', '[::1]'],
  ['127.1', '127.0.0.1'],
])('the host %s is %s', (text, host) => {
  expect(normaliseHost(text)).toBe(host)
})

it.each(['', 'a b', 'https://a.example', 'a.example/path', 'user@a.example', 'a\\b', 'a:x'])(
  '%j is no host',
  (text) => {
    expect(normaliseHost(text)).toBeUndefined()
  },
)
