import { expect, it } from 'vitest'
import { inspectorSettings } from './inspector-settings.ts'

const platform = { baseUrl: 'http://127.0.0.1:4600/base', projectKey: 'P 1' }

it('opens the page of the key on a local platform', () => {
  expect(inspectorSettings({}, platform)).toEqual({
    modifier: 'alt',
    url: 'http://127.0.0.1:4600/console/translations/{module}/{key}?project=P%201&language={language}',
    consoles: ['http://localhost:4600', 'http://127.0.0.1:4600'],
  })
})

it('opens nothing for other services or with an empty URL', () => {
  const elsewhere = { ...platform, baseUrl: 'https://api.example.com' }
  expect(inspectorSettings({}, elsewhere).url).toBeUndefined()
  // Another service's page never sees the keys.
  expect(inspectorSettings({}, elsewhere).consoles).toEqual([])
  expect(inspectorSettings({}, { baseUrl: undefined, projectKey: undefined }).url).toBeUndefined()
  expect(inspectorSettings({ url: '' }, platform).url).toBe('')
})

it('opens the configured URL, with the placeholders of the plugin filled in', () => {
  const url = '{baseUrl}/{projectKey}/{module}/{key}'
  expect(inspectorSettings({ url, modifier: 'ctrl' }, platform)).toEqual({
    modifier: 'ctrl',
    url: 'http://127.0.0.1:4600/base/P%201/{module}/{key}',
    consoles: ['http://localhost:4600', 'http://127.0.0.1:4600'],
  })
})
