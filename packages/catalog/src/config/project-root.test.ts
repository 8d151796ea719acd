import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '@servicekit/testing/folder'
import { findProjectRoot } from './project-root.ts'

async function folderWith(files: Record<string, string>): Promise<string> {
  const root = await temporaryFolder()
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  return root
}

it.each([
  ['servicekit.config.ts', 'app'],
  ['servicekit.config.mjs', 'apps/shop/src'],
  ['uilm.lock.json', 'app'],
])('is the nearest folder with %s', async (file, folder) => {
  const root = await folderWith({ [file]: '{}', [`${folder}/main.js`]: '' })
  expect(await findProjectRoot(join(root, folder))).toMatchObject({ root })
})

it.each([
  ['.git/HEAD', ''],
  ['pnpm-workspace.yaml', ''],
  ['package.json', '{"workspaces": ["app"]}'],
])('is the folder itself if there is none up to the root with %s', async (file, text) => {
  const outside = await folderWith({
    'servicekit.config.ts': '',
    [`repository/${file}`]: text,
    'repository/app/package.json': '{"name": "app"}',
    'repository/app/src/main.js': '',
  })
  const repository = join(outside, 'repository')
  expect(await findProjectRoot(join(repository, 'app/src'))).toEqual({
    root: join(repository, 'app/src'),
    searched: [join(repository, 'app/src'), join(repository, 'app'), repository],
  })
})
