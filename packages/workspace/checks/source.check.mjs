import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPackages } from '../lib/packages.mjs'
import { cacheFolder, readJson, root, toolScript } from '../lib/root.mjs'
import { run, runNode } from '../lib/run.mjs'
import { findNames, forbiddenNames } from './names.mjs'

const packages = readPackages()
const projects = ['.', 'docs', ...packages.map(({ folder }) => `packages/${folder}`)].filter(
  (folder) => existsSync(join(root, folder, 'tsconfig.json')),
)

/** @param {import('../lib/run.mjs').RunResult} result */
const expectSuccess = ({ code, output }) => expect(code, output).toBe(0)

describe('types', () => {
  // Checks against the built declarations of other packages, which takes half the time.
  // Any condition other than `source`, which resolves to the sources, has this effect.
  it.each(projects)('%s', async (folder) => {
    const info = join(cacheFolder, 'tsc', `${folder.replaceAll(/\W+/g, '-')}.json`)
    const args = ['-p', folder, '--incremental', '--tsBuildInfoFile', info]
    const tsc = toolScript('typescript-7', {
      command: 'tsc',
      from: join(root, 'packages/workspace'),
    })
    expectSuccess(await runNode([tsc, ...args, '--customConditions', 'built'], { cwd: root }))
  })
})

describe('lint', () => {
  it.each([
    ['oxlint', '--deny-warnings', '--report-unused-disable-directives'],
    ['oxfmt', '--check'],
    ['knip', '--no-progress', '--no-config-hints'],
  ])('%s %s %s', async (tool, ...args) => {
    expectSuccess(await runNode([toolScript(tool), ...args], { cwd: root }))
  })
})

it.each(packages.filter(({ isPublic }) => isPublic).map(({ name, manifest }) => [name, manifest]))(
  '%s has the licence and the engines of the repository',
  (_, manifest) => {
    const { license, engines } = readJson(join(root, 'package.json'))
    const publishConfig = expect.objectContaining({ access: 'public' })
    expect(manifest).toMatchObject({ type: 'module', license, engines, publishConfig })
  },
)

it('names no folder of a machine and no host of a registry in any file', async () => {
  const listed = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  expectSuccess(listed)
  const config = await run('npm', ['config', 'get', 'registry'], { cwd: root })
  expectSuccess(config)
  // npm prints warnings around the value.
  const registry = config.output.split('\n').find((line) => /^https?:/.test(line)) ?? ''
  const files = listed.output
    .split('\0')
    .filter((path) => path && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
  expect(findNames(files, forbiddenNames({ root, registry }))).toEqual([])
})
