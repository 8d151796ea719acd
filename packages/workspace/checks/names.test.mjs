import { homedir } from 'node:os'
import { expect, it } from 'vitest'
import { findNames, forbiddenNames } from './names.mjs'

const forbidden = forbiddenNames({
  root: '/srv/checkout',
  registry: 'https://packages.example.test/npm/',
})

/** @param {string} text */
const find = (text) => findNames([{ path: 'a.md', text }], forbidden)

it.each([
  'see /srv/checkout/packages',
  "'/srv/checkout'",
  `cache: ${homedir()}/.npm`,
  ['', 'home', 'ada', 'src'].join('/'),
  ['', 'Users', 'ada'].join('/'),
  ['C:', 'Users', 'ada'].join('\\'),
  ['C:', '', 'Users', '', 'ada'].join('\\'),
  'resolved: https://packages.example.test/npm/zod',
  ['https://', 'registry', '.example.org/zod'].join(''),
])('finds %s', (line) => {
  expect(find(`fine\n${line}\n`)).toEqual([expect.stringMatching('^a.md:2 names ')])
})

it.each([
  '/srv/checkout-other',
  ['', 'home', 'you', 'project'].join('/'),
  'GET /users/home/settings',
  'const found = registry.models.find(id)',
  'https://packages.example.com/',
  'src/registry.ts',
])('lets %s be', (line) => {
  expect(find(line)).toEqual([])
})
