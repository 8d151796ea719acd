import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tokenSecret } from './token-secret.ts'

const parts = { secret: undefined, dataDir: undefined, databaseUrl: undefined }

it('returns the option, a secret in a file beside the data, or one of this process', async () => {
  const databaseUrl = 'postgres://host/database'
  expect(await tokenSecret({ ...parts, secret: 'given', databaseUrl })).toBe('given')
  expect(await tokenSecret({ ...parts, databaseUrl })).toBeUndefined()
  expect(await tokenSecret(parts)).not.toBe(await tokenSecret(parts))
  const dataDir = await mkdtemp(join(tmpdir(), 'servicekit-secret-'))
  const created = await tokenSecret({ ...parts, dataDir })
  expect(await tokenSecret({ ...parts, dataDir })).toBe(created)
  expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(created)
  expect((await stat(join(dataDir, 'secret'))).mode & 0o077).toBe(0)
  expect(await readdir(dataDir)).toEqual(['secret'])
  await rm(dataDir, { recursive: true })
})

it('replaces an empty file, and fails without the folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'servicekit-secret-'))
  await writeFile(join(dataDir, 'secret'), '')
  const created = await tokenSecret({ ...parts, dataDir })
  expect(created).toMatch(/^[\w-]{43}$/)
  expect(await tokenSecret({ ...parts, dataDir })).toBe(created)
  await rm(dataDir, { recursive: true })
  await expect(tokenSecret({ ...parts, dataDir })).rejects.toMatchObject({ code: 'ENOENT' })
})
