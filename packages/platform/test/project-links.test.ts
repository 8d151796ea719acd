import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readProject } from '../src/index.ts'
import { storefront } from '@servicekit/testing/projects'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servicekit-links-'))
  path = join(folder, 'project')
  await cp(storefront, path, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const names = ['uilm/de-DE', 'uilm/de-DE/auth.json', 'records/Product.json']

it.each(names)('a project is refused if %s is a link out of its folder', async (name) => {
  await rename(join(path, name), join(folder, 'moved'))
  await symlink(join(folder, 'moved'), join(path, name))
  await expect(readProject(path)).rejects.toMatchObject({
    code: 'PROJECT_INVALID',
    message: expect.stringContaining('a symbolic link leads out of the folder') as string,
  })
})

it.each(names)('a project is complete if %s is a link within its folder', async (name) => {
  const before = await readProject(path)
  await rename(join(path, name), join(path, 'moved'))
  await symlink(join(path, 'moved'), join(path, name))
  expect(await readProject(path)).toEqual(before)
})

it.skipIf(process.platform === 'win32').each(['schemas.json', 'uilm/de-DE/auth.json'])(
  'a project is refused instead of waiting for %s, a named pipe',
  async (name) => {
    await rm(join(path, name))
    execFileSync('mkfifo', [join(path, name)])
    await expect(readProject(path)).rejects.toMatchObject({
      code: 'PROJECT_INVALID',
      message: expect.stringContaining('it must be a file') as string,
    })
  },
)
