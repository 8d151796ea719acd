import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesIn } from '@servicekit/testing/folder'
import { beforeEach, expect, it, vi } from 'vitest'
import { writeEdits } from '../src/init/edits.ts'
import { useProjectFolder } from './project-folder.ts'
import { run } from './run.ts'

const project = useProjectFolder()
let outside: string
beforeEach(async () => {
  vi.stubEnv('SERVICEKIT_URL', project.platform.baseUrl)
  vi.stubEnv('SERVICEKIT_PROJECT_KEY', project.platform.projectKeys[0]!)
  outside = await mkdtemp(join(tmpdir(), 'servicekit-outside-'))
  await writeFile(join(outside, 'own.txt'), 'own')
  await project.write({ 'package.json': '{"type": "module"}', 'servicekit.config.json': '{}' })
  return () => rm(outside, { recursive: true, force: true })
})

it.each([
  ['pull', [], '.servicekit'],
  ['pull', [], 'uilm'],
  ['compile', ['--out', 'src/messages'], 'src/messages'],
  ['compile', ['--out', 'src/messages'], 'src'],
  ['codegen', [], 'src/gateway'],
  ['codegen', ['--out', 'src/data'], 'src'],
  ['translate', [], '.servicekit'],
])('%s %j writes nothing through %s, a link out of the project', async (name, args, folder) => {
  const { root } = project
  if (name === 'compile') await run(['pull', '--root', root])
  await mkdir(join(root, 'src'), { recursive: true })
  if (folder === 'src') await rm(join(root, 'src'), { recursive: true })
  await symlink(outside, join(root, folder))
  const { code, stderr } = await run([name, '--root', root, ...args])
  expect(stderr).toContain(`${join(root, folder)} is a link out of ${root}`)
  expect(code).toBe(2)
  expect(await bytesIn(outside)).toEqual({ 'own.txt': 'own' })
})

it('export --format writes nothing through a link in its folder', async () => {
  const out = join(project.root, 'texts')
  await mkdir(out)
  for (const language of ['de-DE', 'en-US']) await symlink(outside, join(out, language))
  const { code, stderr } = await run(['export', '--format', 'json', '--out', out])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/is a link out of .*texts/)])
  expect(await bytesIn(outside)).toEqual({ 'own.txt': 'own' })
})

it('export replaces a folder that is a link, and leaves what it leads to', async () => {
  const out = join(project.root, 'exported')
  await symlink(await mkdtemp(join(outside, 'empty-')), out)
  const before = await bytesIn(outside)
  expect((await run(['export', '--out', out])).code).toBe(0)
  expect(existsSync(join(out, 'project.json'))).toBe(true)
  expect(await bytesIn(outside)).toEqual(before)
})

it.each(['src/main.ts', 'src'])('init edits nothing through %s, a link out', async (link) => {
  const { root } = project
  await mkdir(join(root, 'src'), { recursive: true })
  if (link === 'src') await rm(join(root, 'src'), { recursive: true })
  const target = link === 'src' ? outside : join(outside, 'own.txt')
  await symlink(target, join(root, link))
  const edits = [
    { path: 'a.ts', before: undefined, after: 'a' },
    { path: 'src/main.ts', before: undefined, after: 'main' },
  ]
  await expect(writeEdits(root, edits)).rejects.toMatchObject({
    code: 'READ_FAILED',
    message: expect.stringContaining(`${join(root, link)} is a link out of ${root}`),
  })
  expect(existsSync(join(root, 'a.ts'))).toBe(false)
  expect(await bytesIn(outside)).toEqual({ 'own.txt': 'own' })
})
