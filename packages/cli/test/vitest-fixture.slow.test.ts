import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const source = join(import.meta.dirname, '../src')
const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')
const program = join(dirname(createRequire(import.meta.url).resolve('vitest')), 'vitest.mjs')

let root: string

const testFile = (own: string): string => `
import { writeFileSync } from 'node:fs'
import { createClient } from '@servicekit/client'
import { expect } from 'vitest'
import { createPlatformTest } from '${source}/vitest.ts'

const test = createPlatformTest({ projectDir: '${storefront}' })
const file = { language: 'de-DE', module: 'cart' }
const read = ({ baseUrl, projectKey }) =>
  createClient({ baseUrl, projectKey }).localization.getFile(file)

test('changes only its own project', async ({ platform }) => {
  const draft = { ...file, key: 'CART_HEADING', value: '${own}' }
  expect(await read(platform)).toMatchObject({ translations: { CART_HEADING: 'Ihr Warenkorb' } })
  await platform.control('/drafts', { method: 'PUT', body: JSON.stringify([draft]) })
  await platform.control('/publish', { method: 'POST', body: '{}' })
  expect(await read(platform)).toMatchObject({ translations: { CART_HEADING: '${own}' } })
  writeFileSync('${own}.' + platform.projectKey + '.seen', '')
})

test('is the same project in the whole file, until it is reset', async ({ platform }) => {
  expect(await read(platform)).toMatchObject({ translations: { CART_HEADING: '${own}' } })
  await platform.reset()
  expect(await read(platform)).toMatchObject({ translations: { CART_HEADING: 'Ihr Warenkorb' } })
  await expect(platform.control('/absent')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
})
`

/** Runs Vitest in the folder, and returns what it prints. */
async function runVitest(globalSetup: readonly string[]): Promise<string> {
  const config = {
    root,
    test: { globalSetup, testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: true },
  }
  await writeFile(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}\n`)
  const { VITEST: _, VITEST_WORKER_ID: __, ...env } = process.env
  return promisify(execFile)(process.execPath, [program, 'run'], { cwd: root, env }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  )
}

beforeAll(async () => {
  // In this package, from where the packages are found, and not in node_modules, whose files Vitest
  // does not transform.
  root = await mkdtemp(join(import.meta.dirname, 'vitest-'))
  await writeFile(join(root, 'first.test.mjs'), testFile('Korb'))
  await writeFile(join(root, 'second.test.mjs'), testFile('Tasche'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

it('gives each worker a project on the platform of the run', { timeout: 180_000 }, async () => {
  const output = await runVitest([join(source, 'vitest-setup.ts')])
  expect(output).toMatch(/Tests .*4 passed/)
  const seen = (await readdir(root)).filter((name) => name.endsWith('.seen')).sort()
  const keys = seen.map((name) => name.split('.')[1])
  expect(seen.map((name) => name.split('.')[0])).toEqual(['Korb', 'Tasche'])
  expect(new Set(keys).size).toBe(2)
})

it('names the missing global setup', { timeout: 180_000 }, async () => {
  expect(await runVitest([])).toContain('servicekit/vitest-setup')
})
