import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { glob } from 'tinyglobby'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const folder = fileURLToPath(new URL('../', import.meta.url))

test('the installed package takes at most 490,000 bytes', async () => {
  // Packed files: the build, which a test run creates first, the runtime, and three more files.
  const packed = await glob([...manifest.files, 'dist/**'], { cwd: folder })
  expect(packed).toEqual(
    expect.arrayContaining([
      'dist/index.js',
      'dist/index.d.ts',
      'dist/runtime/gateway.js',
      'dist/runtime/gateway.d.ts',
      'runtime/gateway.ts',
    ]),
  )
  expect(packed.filter((name) => name.includes('.test.'))).toEqual([])
  const all = [...packed, 'package.json', 'README.md', '../../LICENSE']
  const sizes = all.map((name) => statSync(join(folder, name)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(490_000)
})
