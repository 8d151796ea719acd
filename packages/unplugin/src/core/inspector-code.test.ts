import { expect, it } from 'vitest'
import { inspectorSettings } from './inspector-code.ts'

const platform = { baseUrl: 'http://127.0.0.1:4600/base', projectKey: 'P 1' }

it('leads to the page that a local platform has for a key', () => {
  expect(inspectorSettings({}, platform)).toEqual({
    modifier: 'alt',
    address:
      'http://127.0.0.1:4600/_platform/projects/P%201/keys/{module}/{key}?language={language}',
  })
})

it('leads nowhere for another instance, or where nothing is wanted', () => {
  const elsewhere = { ...platform, baseUrl: 'https://api.example.com' }
  expect(inspectorSettings({}, elsewhere).address).toBeUndefined()
  expect(
    inspectorSettings({}, { baseUrl: undefined, projectKey: undefined }).address,
  ).toBeUndefined()
  expect(inspectorSettings({ address: '' }, platform).address).toBe('')
})

it('leads to the address that is given, with what only the plugin knows', () => {
  const address = '{baseUrl}/{projectKey}/{module}/{key}'
  expect(inspectorSettings({ address, modifier: 'ctrl' }, platform)).toEqual({
    modifier: 'ctrl',
    address: 'http://127.0.0.1:4600/base/P%201/{module}/{key}',
  })
})
