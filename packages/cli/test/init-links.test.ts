import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { run } from './run.ts'

let world: string
let root: string
beforeEach(async () => {
  world = await mkdtemp(join(tmpdir(), 'servicekit-init-links-'))
  root = join(world, 'app')
  await mkdir(join(root, 'locales/en'), { recursive: true })
  await mkdir(join(world, 'private'))
  await writeFile(
    join(root, 'package.json'),
    '{"type": "module", "devDependencies": {"vite": "^7"}}',
  )
  await writeFile(join(root, 'locales/en/shop.json'), '{"A": "a"}')
  await writeFile(join(world, 'private/secret.json'), '{"SECRET": "canary"}')
  return () => rm(world, { recursive: true, force: true })
})

it.each([
  ['locales/de', '../../private'],
  ['locales/en/secret.json', '../../../private/secret.json'],
])('init --from refuses %s, a link to %s', async (path, target) => {
  await symlink(target, join(root, path))
  const { code, stdout, stderr } = await run([
    'init',
    '--root',
    root,
    '--from',
    join(root, 'locales'),
  ])
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} is a link out of`)])
  expect(stdout + stderr).not.toMatch(/canary|SECRET/)
})
