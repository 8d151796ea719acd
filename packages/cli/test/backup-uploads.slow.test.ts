import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { postgres15Fault, startPostgres15 } from '@servicekit/testing/debian-postgres'
import { isDeep } from '@servicekit/testing/is-deep'
import { runCommand, startInstance } from '@servicekit/testing/processes'
import { startStorage, type StorageKind, whyMissing } from './team/storages.ts'
import {
  controlToken,
  createProject,
  filesOf,
  hashOf,
  issueToken,
  reachable,
} from './team/workload.ts'

/** Number of uploads; every tenth one never arrives. */
const uploads = isDeep ? 1000 : 120

describe.each<StorageKind>(['folder', 'Azurite', 'S3 server'])('files in %s', (kind) => {
  it(
    `that nobody asked for are all in a backup after ${uploads} uploads and a killed instance`,
    { timeout: 1_200_000 },
    async ({ skip }) => {
      const missing = (await whyMissing(kind)) ?? (await postgres15Fault())
      if (missing) skip(missing)
      vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
      const folder = await mkdtemp(join(tmpdir(), 'servicekit-uploads-'))
      const postgres = await startPostgres15()
      const storage = await startStorage(kind, folder)
      const running = new Set<{ kill: () => Promise<void> }>()
      onTestFinished(async () => {
        await Promise.all([...running].map((one) => one.kill()))
        await Promise.all([storage.stop(), postgres.stop()])
        await rm(folder, { recursive: true, force: true })
      })
      const settings = async (database: string) => {
        await postgres.execute(`create database ${database}`)
        return {
          ...storage.variables,
          DATABASE_URL: postgres.databaseUrl.replace(/postgres$/, database),
          SERVICEKIT_SECRET: 'a secret of 16 characters',
          SERVICEKIT_ALLOW: 'local-files,http',
          SERVICEKIT_PUBLIC_URL: 'http://platform.local',
          SERVICEKIT_RATE_LIMIT_PER_MINUTE: '0',
          SERVICEKIT_LOG_ACCESS: 'false',
          SERVICEKIT_SHUTDOWN_DELAY_MS: '0',
        }
      }
      const start = async (variables: Record<string, string>) => {
        const all = { ...variables, SERVICEKIT_CONTROL_TOKEN: controlToken }
        const instance = await startInstance(all, folder)
        running.add(instance)
        return instance
      }
      const source = await settings('source')
      const instances = await Promise.all([start(source), start(source)])
      const [first, second] = instances
      await createProject(first.baseUrl, 'http://127.0.0.1:9/')
      const token = await issueToken(second.baseUrl)

      const hashes = new Map<string, string>()
      const uploadFrom = async (baseUrl: string, number: number): Promise<void> => {
        const { presign } = filesOf(baseUrl, token)
        const { fileId, uploadUrl, requiredHeaders } = await presign('a')
        if (number % 10 === 9) return
        const body = new Uint8Array(Buffer.alloc((number * 37) % 5000, `file ${number} `))
        const url = reachable(uploadUrl, baseUrl)
        const response = await fetch(url, { method: 'PUT', headers: requiredHeaders, body })
        await response.arrayBuffer()
        expect(response.ok).toBe(true)
        hashes.set(fileId, hashOf(body))
      }
      const half = uploads / 2
      for (let number = 0; number < half; number++) await uploadFrom(first.baseUrl, number)
      await first.kill()
      for (let number = half; number < uploads; number++) await uploadFrom(second.baseUrl, number)
      // Lists become complete by themselves, also with the uploads of the killed instance.
      const listed = filesOf(second.baseUrl, token)
      await expect
        .poll(async () => (await listed.list()).length, { timeout: 60_000 })
        .toBe(hashes.size)
      // These are pending when the backup begins, except in a folder.
      for (let number = 0; number < 8; number++) await uploadFrom(second.baseUrl, number)
      await second.kill()

      const out = join(folder, 'backup')
      const saved = await runCommand(['backup', '--out', out, '--json'], source, folder)
      expect(saved.code, saved.stderr).toBe(0)
      const report = JSON.parse(saved.stdout) as {
        files: number
        uploads: { pending: number; stored: number }
      }
      expect(report.files).toBe(hashes.size)
      const abandoned = kind === 'folder' ? 0 : uploads / 10
      expect(report.uploads.pending - report.uploads.stored).toBe(abandoned)
      const verified = await runCommand(['restore', '--verify', '--from', out], {}, folder)
      expect(verified.code, verified.stderr).toBe(0)
      await storage.wipe()

      const target = await settings('target')
      const restored = await runCommand(['restore', '--from', out], target, folder)
      expect(restored.code, restored.stderr).toBe(0)
      const { baseUrl } = await start(target)
      const { list, read } = filesOf(baseUrl, await issueToken(baseUrl))
      expect(new Set(await list())).toEqual(new Set(hashes.keys()))
      for (const [id, hash] of hashes) {
        const bytes = await read(id)
        expect(bytes && hashOf(bytes), `upload ${id}`).toBe(hash)
      }
    },
  )
})
