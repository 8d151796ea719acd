import { expect, it } from 'vitest'
import { below, buildsAfter, layers, readPackages } from './packages.mjs'

it('reads the order of imports through every layer', () => {
  expect([...below('unplugin')].sort()).toEqual(['catalog', 'client', 'contract'])
  expect([...below('platform')]).toEqual(['contract'])
  expect(below('cli').has('platform')).toBe(true)
  expect(below('contract').size).toBe(0)
})

it('has no circle in the order of imports', () => {
  const circular = Object.keys(layers).filter((folder) => below(folder).has(folder))
  expect(circular).toEqual([])
})

it('gives every package a place', () => {
  const placeless = readPackages().filter(({ folder }) => !layers[folder])
  expect(placeless).toEqual([])
})

it('builds after the packages below and not after those that tests alone need', () => {
  const packages = readPackages()
  const client = packages.find(({ folder }) => folder === 'client')
  if (!client) throw new Error('no client')
  const manifest = {
    dependencies: { '@servicekit/contract': 'workspace:*' },
    devDependencies: { '@servicekit/platform': 'workspace:*' },
  }
  const names = buildsAfter({ ...client, manifest }, packages).map(({ folder }) => folder)
  expect(names).toEqual(['contract'])
})
