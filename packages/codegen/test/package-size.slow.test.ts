import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../', import.meta.url))

test('the installed package takes at most 300,000 bytes', () => {
  // Packed files: the build, which a test run creates first, and three more files.
  const built = readdirSync(`${folder}dist`).map((name) => `dist/${name}`)
  expect(built).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts']))
  const sizes = [...built, 'package.json', 'README.md', '../../LICENSE'].map(
    (name) => statSync(folder + name).size,
  )
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(300_000)
})
