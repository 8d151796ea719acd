import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { removeFolders, temporaryFolder, writeApp } from '../../test/project.ts'
import { projectRootOf } from './project-root.ts'

afterAll(removeFolders)

it.each([
  ['servicekit.config.ts', 'app'],
  ['servicekit.config.mjs', 'apps/shop/src'],
  ['uilm.lock.json', 'app'],
])('is the nearest folder with %s', async (file, folder) => {
  const root = await temporaryFolder()
  await writeApp(root, { [file]: '{}', [`${folder}/main.js`]: '' })
  expect(projectRootOf(join(root, folder))).toBe(root)
})

it('is the folder itself if no parent folder has one', async () => {
  const outside = await temporaryFolder()
  await writeApp(outside, {
    'servicekit.config.ts': '',
    'repository/.git/HEAD': '',
    'repository/app/main.js': '',
  })
  const folder = join(outside, 'repository/app')
  expect(projectRootOf(folder)).toBe(folder)
})
