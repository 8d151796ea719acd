import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { detectPackageManager } from './package-manager.ts'
import { runScript } from './init/plan.ts'
import { localCommand } from './run-command.ts'

async function folderWith(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'servicekit-manager-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
  return root
}

it.each([
  ['package-lock.json', 'npm/10.8.2', 'npm', 'npx servicekit pull', 'npm run dev'],
  ['pnpm-lock.yaml', 'npm/10.8.2', 'pnpm', 'pnpm exec servicekit pull', 'pnpm run dev'],
  ['yarn.lock', 'yarn/1.22.22', 'yarn', 'yarn run servicekit pull', 'yarn run dev'],
  ['.yarnrc.yml', 'yarn/4.18.1', 'yarn@berry', 'yarn run servicekit pull', 'yarn run dev'],
  ['bun.lock', 'npm/10.8.2', 'bun', 'bun x servicekit pull', 'bun run dev'],
  ['bunfig.toml', 'npm/10.8.2', 'bun', 'bun x servicekit pull', 'bun run dev'],
  ['README.md', 'bun/1.4.5', 'bun', 'bun x servicekit pull', 'bun run dev'],
  ['README.md', 'yarn/4.18.1', 'yarn@berry', 'yarn run servicekit pull', 'yarn run dev'],
  ['README.md', 'pnpm/10.34.9', 'pnpm', 'pnpm exec servicekit pull', 'pnpm run dev'],
] as const)('is found by %s and %s: %s', async (file, userAgent, expected, local, script) => {
  vi.stubEnv('npm_config_user_agent', `${userAgent} npm/? node/v20.20.2 linux x64`)
  vi.stubEnv('npm_execpath', '')
  const root = await folderWith({ 'package.json': '{}', [file]: '' })
  const agent = await detectPackageManager(root)
  expect(agent).toBe(expected)
  const { command, args } = localCommand({ root, agent }, ['servicekit', 'pull'])
  expect([command, ...args].join(' ')).toBe(local)
  expect(runScript(agent, 'dev')).toBe(script)
})

it.each([
  ['/opt/bun/bin/bun', 'bun'],
  ['/usr/lib/node_modules/npm/bin/npx-cli.js', 'npm'],
])('is the program that runs the command in a script of npm: %s', async (program, expected) => {
  vi.stubEnv('npm_config_user_agent', 'npm/10.8.2 node/v20.20.2 linux x64')
  vi.stubEnv('npm_execpath', program)
  expect(await detectPackageManager(await folderWith({ 'package.json': '{}' }))).toBe(expected)
})
