import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../packages/workspace/lib/root.mjs'
import { staleReferences } from './references.mjs'

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')

const all = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  .toString()
  .split('\0')
  .filter((path) => path && existsSync(join(root, path)))

it('mentions no file that does not exist, in documents and in comments', () => {
  const files = all
    .filter((path) => /\.(md|mjs|ts|tsx)$/.test(path))
    .filter(
      (path) =>
        !/^\.changeset|CHANGELOG\.md$|__snapshots__|references\.test\.mjs$|check\/test\/sources\.slow\.test\.ts$/.test(
          path,
        ),
    )
    .map((path) => ({ path, text: read(path) }))
  expect(files.length).toBeGreaterThan(500)
  expect(staleReferences(files, all)).toEqual([])
})
