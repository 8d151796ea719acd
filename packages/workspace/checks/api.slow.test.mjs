import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readPackages } from '../lib/packages.mjs'
import { describeApi, isSameApi } from './api.mjs'

// The schemas of contract are reviewed in its openapi.json instead.
const packages = readPackages().filter(({ isPublic, folder }) => isPublic && folder !== 'contract')

it.each(packages.map((item) => [item.name, item]))(
  '%s has the public interface that api.snapshot.txt shows',
  async (_, item) => {
    const path = join(item.path, 'api.snapshot.txt')
    const saved = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const now = describeApi(item)
    const shown = isSameApi(now, saved) ? saved : now
    await expect(shown, 'npm test -- --update writes it').toMatchFileSnapshot(path)
  },
)
