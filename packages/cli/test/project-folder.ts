import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type StartedPlatform, startPlatform } from '@servicekit/platform/node'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'

const storefront = join(import.meta.dirname, '../../../fixtures/projects/storefront')

/** Variables that would change what commands do. */
const variables = [
  'CI',
  'SERVICEKIT_URL',
  'SERVICEKIT_PROJECT_KEY',
  'SERVICEKIT_PRESET',
  'SERVICEKIT_KEY_HEADER',
  'SERVICEKIT_CLIENT_ID',
  'SERVICEKIT_CLIENT_SECRET',
  'SERVICEKIT_TOKEN',
]

/** Empty project folder of a test, and the platform that the tests of a file share. */
export interface ProjectFolder {
  readonly platform: StartedPlatform
  readonly root: string
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>
  readonly read: (name: string) => Promise<string>
}

/** Starts the platform with the sample project, and creates a folder for each test. */
export function useProjectFolder(): ProjectFolder {
  let platform: StartedPlatform
  let root: string
  beforeAll(async () => {
    platform = await startPlatform({ projectDir: storefront, port: 0 })
  })
  afterAll(() => platform?.close())
  beforeEach(async () => {
    for (const name of variables) vi.stubEnv(name, '')
    root = await mkdtemp(join(tmpdir(), 'servicekit-project-'))
    return () => rm(root, { recursive: true, force: true })
  })
  return {
    get platform() {
      return platform
    },
    get root() {
      return root
    },
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, name)), { recursive: true })
        await writeFile(join(root, name), text)
      }
    },
    read: (name) => readFile(join(root, name), 'utf8'),
  }
}
