import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '@servicekit/testing/folder'
import { pathWarnings } from './tsconfig-paths.ts'

it('names the lines of outdated paths in every tsconfig', async () => {
  const root = await temporaryFolder()
  const old = `{
  "compilerOptions": {
    // "~uilm": ["./comment.d.ts"],
    "paths": {
      "~uilm": ["./.servicekit/uilm.d.ts"],
      "~uilm/*": ["./.servicekit/uilm/*.d.ts"],
      "~/*": ["./src/*"]
    }
  }
}`
  await writeFile(join(root, 'tsconfig.app.json'), old)
  await writeFile(join(root, 'tsconfig.json'), '{"files": []}')
  await writeFile(join(root, 'other.json'), old)
  expect(await pathWarnings(root)).toEqual([
    'tsconfig.app.json: delete lines 5 and 6 ("~uilm" in paths) and reference .servicekit/types/index.d.ts in a file such as src/servicekit-env.d.ts',
  ])
  expect(await pathWarnings(join(root, 'none'))).toEqual([])
})
