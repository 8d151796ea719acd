import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readApps, readPackages } from '../lib/packages.mjs'
import { readJson, root } from '../lib/root.mjs'
import { explainedLibraries, namedLibraries } from './libraries.mjs'
import { staleReferences } from './references.mjs'

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')

it('explains every library in docs/dependencies.md, and no other', () => {
  const manifests = [...readPackages(), ...readApps()].map(({ manifest }) => manifest)
  const own = ['package.json', 'docs/package.json'].map((path) => readJson(join(root, path)))
  const named = namedLibraries([...own, ...manifests])
  expect([...explainedLibraries(read('docs/dependencies.md'))].sort()).toEqual([...named].sort())
})

const all = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  .toString()
  .split('\0')
  .filter((path) => path && existsSync(join(root, path)))

it('mentions no file that does not exist, in documents and in comments', () => {
  const files = all
    .filter((path) => /\.(md|mjs|ts|tsx)$/.test(path))
    .filter(
      (path) => !/^\.changeset|CHANGELOG\.md$|__snapshots__|references\.test\.mjs$/.test(path),
    )
    .map((path) => ({ path, text: read(path) }))
  expect(files.length).toBeGreaterThan(500)
  expect(staleReferences(files, all)).toEqual([])
})

it('begins every doc comment with a verb or a noun', () => {
  const sources = all.filter(
    (path) => /\.([cm]?[jt]sx?|svelte|vue)$/.test(path) && !path.includes('__snapshots__'),
  )
  expect(sources.length).toBeGreaterThan(1000)
  const found = sources.flatMap((path) => {
    const text = read(path)
    return [
      ...text.matchAll(/\/\*\*\s+(?:\*\s+)?(?:What|Whether|Where|Who|Why|When|Which|How)\b.*/g),
    ].map(
      ({ 0: comment, index }) => `${path}:${text.slice(0, index).split('\n').length} ${comment}`,
    )
  })
  expect(found, 'begin these comments as in "Returns the ..." or "Number of ..."').toEqual([])
})

// Number of files to edit by hand, excluding tests and documents.
it.each([
  ['an operation', 4],
  ['a bundler', 4],
  ['a storage backend', 4],
  ['a message syntax', 4],
  ['a dialect', 2],
])('docs/architecture.md adds %s in at most %i files', (what, most) => {
  const [, section = ''] = read('docs/architecture.md').split(`\n### Add ${what}\n`)
  const [own = ''] = section.split('\n#')
  const steps = [...own.matchAll(/^\d+\. `([^`]+)`: /gm)].map(([, path = '']) => path)
  expect(steps.length).toBeGreaterThan(1)
  expect(steps.length).toBeLessThanOrEqual(most)
  expect(steps.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('keeps CONTRIBUTING.md within what a contributor reads on the first day', () => {
  expect(Buffer.byteLength(read('CONTRIBUTING.md'))).toBeLessThanOrEqual(8_000)
})
