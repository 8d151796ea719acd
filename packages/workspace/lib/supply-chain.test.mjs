import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatLicences, isPermissive, listInstalled } from './supply-chain.mjs'

it('lists installed packages with their licences and install scripts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'servicekit-supply-'))
  try {
    const write = (/** @type {string} */ path, /** @type {object} */ content) => {
      mkdirSync(join(folder, path), { recursive: true })
      writeFileSync(join(folder, path, 'package.json'), JSON.stringify(content))
    }
    write('node_modules/a', { name: 'a', license: 'MIT' })
    write('node_modules/b', { name: 'b', licenses: [{ type: 'ISC' }, { type: 'MIT' }] })
    write('node_modules/c', { name: 'c' })
    const packages = {
      'node_modules/a': { version: '1.0.0', hasInstallScript: true },
      'node_modules/b': { version: '2.0.0' },
      'node_modules/c': { version: '3.0.0' },
    }
    const lock = join(folder, 'node_modules/.package-lock.json')
    writeFileSync(lock, JSON.stringify({ packages }))
    const installed = listInstalled(folder)
    expect(installed.map(({ licence }) => licence)).toEqual(['MIT', 'ISC OR MIT', 'unknown'])
    expect(installed.filter((one) => one.hasInstallScript).map(({ name }) => name)).toEqual(['a'])
    expect(formatLicences(installed)).toContain('| b | 2.0.0 | ISC OR MIT |')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['MIT AND ISC', true],
  ['MIT AND GPL-3.0', false],
  ['AGPL-3.0-only', false],
  ['unknown', false],
])('judges the licence %s: %s', (expression, expected) => {
  expect(isPermissive(expression)).toBe(expected)
})
