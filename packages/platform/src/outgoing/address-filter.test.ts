import { expect, it } from 'vitest'
import { type AddressKind, addressProblem } from './address-filter.ts'

const isAllowed = (address: string, ...allowed: AddressKind[]): boolean =>
  addressProblem(address, new Set(allowed)) === undefined

it.each([
  '8.8.8.8',
  '172.32.0.1',
  '192.169.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
])('allows %s', (address) => {
  expect(isAllowed(address)).toBe(true)
})

it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1'])(
  'allows %s, which is this machine, only when loopback addresses are allowed',
  (address) => {
    expect(isAllowed(address)).toBe(false)
    expect(isAllowed(address, 'private')).toBe(false)
    expect(isAllowed(address, 'loopback')).toBe(true)
  },
)

it.each(['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fd00::1'])(
  'allows %s, which is in a private network, only when private addresses are allowed',
  (address) => {
    expect(isAllowed(address, 'loopback')).toBe(false)
    expect(isAllowed(address, 'private')).toBe(true)
  },
)

it.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '0.0.0.0',
  '::',
  'fe80::1%eth0',
  '224.0.0.1',
  '255.255.255.255',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '::ffff:0:127.0.0.1',
  '192.0.2.1',
  'not an address',
])('never allows %s', (address) => {
  expect(isAllowed(address, 'loopback', 'private')).toBe(false)
})
