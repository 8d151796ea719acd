import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { measureFirstPage } from './start/first-page.mjs'
import { app } from './start/app.mjs'
import { root } from './lib/root.mjs'

const run = promisify(execFile)

it('does the main job once and ends', async () => {
  const { stdout } = await run(process.execPath, ['packages/workspace/start.mjs', '--once'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '' },
  })
  const lines = stdout.split('\n')
  /** @param {string} step */
  const line = (step) => lines.find((one) => one.startsWith(`${step} `)) ?? ''
  for (const step of [
    'install',
    'build',
    'platform',
    'pull',
    'compile',
    'codegen',
    'app',
    'data',
  ]) {
    expect(line(step)).toMatch(/^\w+ +[\d,]+ ms {3}\S/)
  }
  expect(line('pull')).toContain('6 languages, 8 modules, 48 files')
  expect(line('compile')).toContain('613 keys')
  expect(line('data')).toMatch(/listed 120 products, inserted [\w-]{36}, listed 121$/)
  for (const language of ['ar-EG', 'bn-BD', 'de-DE', 'en-US', 'fr-FR', 'ja-JP']) {
    const [, downloaded, strings] = /(\d+) B +(\d+) B$/.exec(line(language)) ?? []
    expect(Number(strings)).toBeGreaterThan(300)
    expect(Number(downloaded)).toBeGreaterThan(Number(strings))
    expect(Number(downloaded)).toBeLessThan(2 * Number(strings))
  }
  expect((await measureFirstPage(join(app, 'dist'))).length).toBe(6)
}, 180_000)

it('refuses a flag that it does not know', async () => {
  await expect(
    run(process.execPath, ['packages/workspace/start.mjs', '--onec'], { cwd: root }),
  ).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('--once') })
})
