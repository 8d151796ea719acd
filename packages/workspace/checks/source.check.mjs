import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { readPackages } from '../lib/packages.mjs'
import { cacheFolder, readJson, root, toolScript } from '../lib/root.mjs'
import { run, runNode } from '../lib/run.mjs'
import { findNames, forbiddenNames } from './names.mjs'

const packages = readPackages()
/** Next.js, imported by the plugin, and the DOM of the console change types of a whole program. */
const apart = ['unplugin', 'console']

/** @param {import('../lib/run.mjs').RunResult} result */
const expectSuccess = ({ code, output }) => expect(code, output).toBe(0)

/**
 * Writes a configuration for the files of most packages, which have the same options, and
 * returns its path. As one program they take a third of the time.
 */
function writeTogether() {
  const read = packages
    .filter(
      ({ folder, path }) => !apart.includes(folder) && existsSync(join(path, 'tsconfig.json')),
    )
    .map(({ path }) => ({
      path,
      ...ts.readConfigFile(join(path, 'tsconfig.json'), ts.sys.readFile),
    }))
  const include = read.flatMap(({ path, config }) =>
    /** @type {string[]} */ (config.include).flatMap((pattern) =>
      config.compilerOptions?.allowJs || pattern.includes('*')
        ? [join(path, pattern)]
        : ['ts', 'tsx', 'mts'].map((ending) => join(path, pattern, `**/*.${ending}`)),
    ),
  )
  const exclude = read.flatMap(({ path, config }) =>
    /** @type {string[]} */ (config.exclude ?? []).map((pattern) => join(path, pattern)),
  )
  const file = join(cacheFolder, 'tsc/together.tsconfig.json')
  mkdirSync(dirname(file), { recursive: true })
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      allowJs: true,
      checkJs: true,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include,
    exclude: [...exclude, '**/node_modules'],
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

/** @type {[string, () => string, string][]} */
const projectsApart = apart.map((name) => [`of ${name}`, () => `packages/${name}`, 'built'])

describe('types', () => {
  const tsc = toolScript('typescript-7', {
    command: 'tsc',
    from: join(root, 'packages/workspace'),
  })
  // Against the built declarations of other packages, which takes half the time. Any
  // condition other than `source`, which resolves to the sources, has this effect.
  it.each([
    ...projectsApart,
    ['of the configurations', () => '.', 'built'],
    ['of the documentation', () => 'docs', 'built'],
    ['of the other packages', writeTogether, 'source'],
  ])('%s', async (name, projectOf, condition) => {
    const info = join(cacheFolder, 'tsc', `${name.replaceAll(' ', '-')}.json`)
    const project = ['-p', projectOf(), '--customConditions', condition]
    // Several checkers repeat work: four take almost twice the processor time of one.
    const args = ['--checkers', '1', '--incremental', '--tsBuildInfoFile', info]
    expectSuccess(await runNode([tsc, ...project, ...args], { cwd: root }))
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
