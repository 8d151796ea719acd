import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { root as repository } from '../../workspace/lib/root.mjs'
import { run } from '../../workspace/lib/run.mjs'
import { hasTerminal, runInTerminal } from '../../testing/src/terminal.mjs'
import { startPlatform } from '../../testing/scaffolds/start-platform.mjs'

const script = join(repository, 'packages/cli/bin/servicekit.js')
const down = '\u001b[B'
const interrupt = '\u0003'

/** @type {string} */
let app
beforeEach(() => {
  app = mkdtempSync(join(tmpdir(), 'servicekit-terminal-'))
  const files = {
    'package.json': JSON.stringify({
      type: 'module',
      devDependencies: { vite: '*', servicekit: '*', '@servicekit/unplugin': '*' },
    }),
    'package-lock.json': '{}',
    'vite.config.js': 'export default { plugins: [] }\n',
    'src/main.js': '',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(app, name)), { recursive: true })
    writeFileSync(join(app, name), text)
  }
  mkdirSync(join(app, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(repository, 'packages/cli'), join(app, 'node_modules/servicekit'))
  symlinkSync(script, join(app, 'node_modules/.bin/servicekit'))
  return () => rmSync(app, { recursive: true, force: true })
})
const env = { CI: undefined, SERVICEKIT_URL: '', SERVICEKIT_PROJECT_KEY: '' }
const filesOf = () => readdirSync(app).toSorted()

describe.skipIf(!(await hasTerminal()))('init on a terminal', () => {
  /** @type {Awaited<ReturnType<typeof startPlatform>>} */
  let platform
  beforeAll(async () => {
    platform = await startPlatform(tmpdir())
  })
  afterAll(() => platform?.stop())

  const init = `${process.execPath} ${script} init`
  const questions = () => [
    { prompt: /Where do the translations/, keys: `${down}\r` },
    { prompt: /URL of the service/, keys: `${platform.service.baseUrl}\r` },
    { prompt: /Project key/, keys: `${platform.service.projectKey}\r` },
    { prompt: /Show a message and a list/, keys: `${down}\r` },
  ]

  it('prompts with arrow keys and text, in 40 columns and without colours', async () => {
    const answers = [...questions(), { prompt: /Make these changes/, keys: '\r' }]
    const options = { cwd: app, env: { ...env, NO_COLOR: '1' }, answers, columns: 40 }
    const { code, output, raw } = await runInTerminal(init, options)
    expect(code, output).toBe(0)
    expect(output).toContain('Done. Commit servicekit.config')
    expect(raw).not.toMatch(/\u001b\[3\dm/)
    expect(filesOf()).toEqual(expect.arrayContaining(['servicekit.config.js', 'uilm.lock.json']))
  })

  it('changes nothing after Ctrl-C at any question', async () => {
    const before = filesOf()
    const all = [...questions(), { prompt: /Make these changes/, keys: '' }]
    for (const [index, { prompt }] of all.entries()) {
      const answers = [...all.slice(0, index), { prompt, keys: interrupt }]
      const { code, output } = await runInTerminal(init, { cwd: app, env, answers })
      expect([code, output]).toEqual([130, expect.stringContaining('Stopped')])
      expect(filesOf()).toEqual(before)
    }
  })

  it('changes nothing if the changes are declined', async () => {
    const before = filesOf()
    const answers = [...questions(), { prompt: /Make these changes/, keys: `${down}\r` }]
    const { code, output } = await runInTerminal(init, { cwd: app, env, answers })
    expect([code, output]).toEqual([1, expect.stringContaining('Nothing was changed.')])
    expect(filesOf()).toEqual(before)
  })
})

it('init names --yes without a terminal', async () => {
  const before = filesOf()
  const { code, output } = await run(process.execPath, [script, 'init'], { cwd: app, env })
  expect([code, output]).toEqual([2, expect.stringContaining('Add --yes to accept all changes')])
  expect(filesOf()).toEqual(before)
})
