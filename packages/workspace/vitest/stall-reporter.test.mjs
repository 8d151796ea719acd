import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cacheFolder, toolScript } from '../lib/root.mjs'
import { runNode } from '../lib/run.mjs'

let folder = ''

beforeEach(() => {
  // The inner tests find vitest from below node_modules.
  mkdirSync(cacheFolder, { recursive: true })
  folder = mkdtempSync(join(cacheFolder, 'stall-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(process.platform !== 'linux')(
  'ends tests that block, names them, and lets the others run',
  async () => {
    const reporter = fileURLToPath(new URL('stall-reporter.mjs', import.meta.url))
    const test = {
      include: ['*.test.mjs'],
      exclude: [],
      reporters: ['default', [reporter, { limitMs: 2000 }]],
    }
    const files = {
      'vitest.config.mjs': `export default ${JSON.stringify({ test })}\n`,
      'loop.test.mjs': `import { it } from 'vitest'
it('loops', async () => {
  await new Promise((done) => { setTimeout(done, 300) })
  for (;;);
})
`,
      'child.test.mjs': `import { spawnSync } from 'node:child_process'
import { it } from 'vitest'
it('waits for a child', () => { spawnSync('sleep', ['987']) })
`,
      'fine.test.mjs': `import { it } from 'vitest'
it('passes', () => {})
`,
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const { code, output } = await runNode([toolScript('vitest'), 'run', '--root', folder])
    expect(code, output).toBe(1)
    expect(output).toMatch(/loop\.test\.mjs > loops \(\d+ s\)/)
    expect(output).toMatch(/child\.test\.mjs \(\d+ s\)/)
    expect(output).toMatch(/ S\) sleep 987/)
    expect(output).toMatch(/1 passed/)
  },
)
