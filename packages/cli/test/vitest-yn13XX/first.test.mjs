
import { writeFileSync } from 'node:fs'
import { createClient } from '@servicekit/client'
import { expect } from 'vitest'
import { createPlatformTest } from '/work/wt/ci/packages/cli/src/vitest.ts'

const test = createPlatformTest({ projectDir: '/work/wt/ci/fixtures/projects/storefront' })
const file = { language: 'de-DE', module: 'cart' }
const read = ({ baseUrl, projectKey }) =>
  createClient({ baseUrl, projectKey }).localization.getFile(file)

test('changes only its own project', async ({ platform }) => {
  const draft = { ...file, key: 'CART_HEADING', value: 'Korb' }
  expect(await read(platform)).toMatchObject({ translations: { CART_HEADING: 'Ihr Warenkorb' } })
  await platform.control('/drafts', { method: 'PUT', body: JSON.stringify([draft]) })
  await platform.control('/publish', { method: 'POST', body: '{}' })
  expect(await read(platform)).toMatchObject({ translations: { CART_HEADING: 'Korb' } })
  writeFileSync('Korb.' + platform.projectKey + '.seen', '')
})

test('is the same project in the whole file, until it is reset', async ({ platform }) => {
  expect(await read(platform)).toMatchObject({ translations: { CART_HEADING: 'Korb' } })
  await platform.reset()
  expect(await read(platform)).toMatchObject({ translations: { CART_HEADING: 'Ihr Warenkorb' } })
  await expect(platform.control('/absent')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
})
