import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { separateProjects } from '../install.mjs'
import { readPackages } from '../lib/packages.mjs'
import { readJson, root } from '../lib/root.mjs'
import { run } from '../lib/run.mjs'
import { findNames, forbiddenNames } from './names.mjs'

const packages = readPackages()

it.each(packages.filter(({ isPublic }) => isPublic).map(({ name, manifest }) => [name, manifest]))(
  '%s has the licence and the engines of the repository',
  (_, manifest) => {
    const { license, engines } = readJson(join(root, 'package.json'))
    const publishConfig = expect.objectContaining({ access: 'public' })
    expect(manifest).toMatchObject({ type: 'module', license, engines, publishConfig })
  },
)

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  .toString()
  .split('\0')
  .filter((path) => path && existsSync(join(root, path)))

it('names no folder of a machine and no host of a registry in any file', async () => {
  const config = await run('npm', ['config', 'get', 'registry'], { cwd: root })
  expect(config.code, config.output).toBe(0)
  // npm prints warnings around the value.
  const registry = config.output.split('\n').find((line) => /^https?:/.test(line)) ?? ''
  const files = tracked
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
  expect(findNames(files, forbiddenNames({ root, registry }))).toEqual([])
})

it('has in the core package only what two packages use, of which core may be one', () => {
  const sources = tracked
    .filter((path) => /^(?:packages|docs)\/.*\.(?:[mc]?[jt]sx?|svelte|vue)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const folder = 'packages/core/src/'
  const own = sources.filter(
    ({ path }) => path.startsWith(folder) && !/index\.ts$|\.test\.ts$/.test(path),
  )
  const ownText = own.map(({ text }) => text).join('')
  /** @type {Map<string, Set<string>>} */
  const users = new Map()
  for (const { path, text } of sources) {
    const imports = text.matchAll(
      /import (?:type )?\{([^}]*)\} from '@servicekit\/core(?:\/\w+)?'/g,
    )
    for (const [, names = ''] of imports) {
      for (const [name] of names.matchAll(/\w+/g)) {
        users.set(name, (users.get(name) ?? new Set()).add(path.split('/').slice(0, 2).join('/')))
      }
    }
  }
  const exported = ['index.ts', 'node/index.ts'].flatMap((index) =>
    [...readFileSync(join(root, folder, index), 'utf8').matchAll(/export \{([^}]*)\}/g)].flatMap(
      ([, names = '']) => names.split(',').map((name) => name.trim()),
    ),
  )
  // Types belong to the functions that take or return them.
  const values = exported.filter((name) => name && !name.startsWith('type '))
  expect(values.length).toBeGreaterThan(50)
  const unshared = values.filter((name) => {
    const isUsedByCore = ownText.split(new RegExp(`\\b${name}\\b`)).length > 2
    return (users.get(name)?.size ?? 0) + Number(isUsedByCore) < 2
  })
  expect(unshared).toEqual([])
})

/** Tools of which two versions are needed, and why. */
const needed = new Map([
  [
    'typescript',
    'Angular accepts no TypeScript 6; applications of frameworks take what theirs does',
  ],
  ['i18next', 'the benchmark names the version that its figures are for'],
  ['react', 'Metro and its React Native accept ranges of their own'],
  ['ioredis', 'the oldest unstorage finds the oldest version by its name'],
  ['unstorage', 'the oldest version that the caches accept'],
  ['vite', 'packages beside the oldest peers find the oldest version by its name'],
])

it('uses one version of each tool, in the workspace and in the projects with a lockfile of their own', () => {
  /** @type {Map<string, Set<string>>} */
  const versions = new Map()
  for (const folder of ['.', ...separateProjects()]) {
    for (const [name, version] of directVersions(
      readFileSync(join(root, folder, 'pnpm-lock.yaml'), 'utf8'),
    )) {
      versions.set(name, (versions.get(name) ?? new Set()).add(version))
    }
  }
  expect(versions.size).toBeGreaterThan(100)
  const several = [...versions].filter(([name, all]) => all.size > 1 && !needed.has(name))
  expect(several.map(([name, all]) => `${name}: ${[...all].join(', ')}`)).toEqual([])
})

/**
 * Returns the dependencies of the packages of a lockfile, as pairs of a name and its version.
 *
 * @param {string} lockfile
 * @returns {[name: string, version: string][]}
 */
function directVersions(lockfile) {
  const importers = lockfile.slice(
    lockfile.indexOf('\nimporters:'),
    lockfile.indexOf('\npackages:'),
  )
  const entry =
    /^ {6}'?([^'\n]+?)'?:\n {8}specifier: .*\n {8}version: '?(?!link:|file:)([^('\n]+)/gm
  return [...importers.matchAll(entry)].map(([, name = '', version = '']) => [name, version])
}
