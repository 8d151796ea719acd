import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import { afterAll, describe, expect, it } from 'vitest'
import webpack from 'webpack'
import { uilm as uilmForRspack } from '../src/rspack.ts'
import { uilm as uilmForWebpack } from '../src/webpack.ts'
import { removeFolders, temporaryFolder } from './project.ts'

afterAll(removeFolders)

describe.each([
  ['a#b', ['webpack', 'rspack']],
  ['a?b', ['webpack', 'rspack']],
  // webpack itself refuses it.
  ['a!b', ['rspack']],
])('in a folder named %s', (name, tools) => {
  it.each(tools)('%s refuses to build without messages', async (tool) => {
    const context = join(await temporaryFolder(), name, 'app')
    await mkdir(context, { recursive: true })
    const build = (): unknown =>
      tool === 'webpack'
        ? webpack({ context, entry: './main.js', plugins: [uilmForWebpack()] })
        : rspack({ context, entry: './main.js', plugins: [uilmForRspack()] })
    expect(build).toThrow(
      `${tool} cannot load messages in a folder whose path contains "${name[1]}"`,
    )
  })
})
