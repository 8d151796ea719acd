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
    const now = describeApi(item)
    if (existsSync(path) && isSameApi(now, readFileSync(path, 'utf8'))) return
    await expect(now, 'npm test -- --update writes it').toMatchFileSnapshot(path)
  },
)
