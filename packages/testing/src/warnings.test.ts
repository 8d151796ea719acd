import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cacheFolder, readJson, toolScript } from '../../workspace/lib/root.mjs'
import { runNode } from '../../workspace/lib/run.mjs'
import { takeWarnings } from './warnings.ts'

let folder = ''

beforeEach(() => {
  // The inner tests find vitest from below node_modules.
  mkdirSync(cacheFolder, { recursive: true })
  folder = mkdtempSync(join(cacheFolder, 'warnings-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

it('hands what was printed to the test', () => {
  console.warn('%s is old', 'it')
  console.error(new TypeError('no'))
  expect(takeWarnings()).toEqual([
    'warn: it is old',
    expect.stringMatching('^error: TypeError: no'),
  ])
  expect(takeWarnings()).toEqual([])
})

it('fails a test that prints a warning and does not take it', async () => {
  const setup = fileURLToPath(new URL('setup.ts', import.meta.url))
  const config = { test: { include: ['*.test.mjs'], exclude: [], setupFiles: [setup] } }
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}\n`)
  writeFileSync(
    join(folder, 'a.test.mjs'),
    `import { it } from 'vitest'
it('warns', () => { console.warn('careful') })
it('errs', () => { console.error('wrong') })
it('warns through Node', async () => {
  process.emitWarning('deprecated')
  await new Promise((done) => { setImmediate(done) })
})
it('is quiet', () => { console.log('fine') })
`,
  )
  const report = join(folder, 'report.json')
  const args = ['run', '--root', folder, '--reporter=json', `--outputFile=${report}`]
  const { code, output } = await runNode([toolScript('vitest'), ...args])
  expect(code, output).toBe(1)
  expect(readJson(report)).toMatchObject({ numPassedTests: 1, numFailedTests: 3 })
})
