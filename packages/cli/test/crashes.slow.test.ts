import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dumpableDatabases } from '@servicekit/testing/dumpable'
import { onEachEngine } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { randomOf } from '@servicekit/testing/random'
import { type Receiver, receiver } from '@servicekit/testing/receiver'
import {
  type Command,
  runCommand,
  startCommand,
  startInstance,
} from '@servicekit/testing/processes'
import { startStorage, type StorageKind, type TeamStorage, whyMissing } from './team/storages.ts'
import {
  type Acknowledged,
  controlToken,
  createProject,
  filesOf,
  hashOf,
  issueToken,
  newRecord,
  query,
  sendControl,
  startWriting,
} from './team/workload.ts'

/** Kills for each engine and storage; 204 in total in the deep run. */
const kills = isDeep ? 34 : 2
const seed = Number(process.env['SERVICEKIT_SEED'] ?? 20_261)
/** Longest time in ms between the first acknowledged writes and a kill. */
const maxDelayMs = 600

onEachEngine((engine) => {
  const databases = dumpableDatabases(engine)
  describe.each<StorageKind>(['folder', 'Azurite', 'S3 server'])('with files in %s', (kind) => {
    // The ordinary run has one engine and one storage.
    const isRun = isDeep || (engine.name === 'PostgreSQL' && kind === 'folder')
    let missing: string | undefined
    let folder: string
    let hooks: Receiver
    let storage: TeamStorage
    let variables: Record<string, string>
    const running = new Set<Command>()
    beforeAll(async () => {
      if (!isRun) return
      missing = (await whyMissing(kind)) ?? (await databases.whyMissing())
      if (missing) return
      folder = await mkdtemp(join(tmpdir(), 'servicekit-crashes-'))
      hooks = await receiver()
      vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
      storage = await startStorage(kind, folder)
      const { databaseUrl } = await databases.location()
      variables = {
        ...storage.variables,
        ...(databaseUrl === undefined
          ? { SERVICEKIT_DATA_DIR: join(folder, 'data') }
          : { DATABASE_URL: databaseUrl, SERVICEKIT_SECRET: 'a secret of 16 characters' }),
        SERVICEKIT_ALLOW: 'embedded-database,local-files,http',
        SERVICEKIT_PUBLIC_URL: 'http://platform.local',
        SERVICEKIT_CONTROL_TOKEN: controlToken,
        SERVICEKIT_RATE_LIMIT_PER_MINUTE: '0',
        SERVICEKIT_OUTGOING: 'loopback',
        SERVICEKIT_LOG_ACCESS: 'false',
        SERVICEKIT_SHUTDOWN_DELAY_MS: '0',
        SERVICEKIT_WEBHOOKS_TIMEOUT_MS: '1000',
        SERVICEKIT_WEBHOOKS_RETRY_DELAYS_MS: JSON.stringify(Array(50).fill(200)),
      }
    }, 400_000)
    afterAll(async () => {
      await Promise.all([...running].map((one) => one.kill()))
      await hooks?.close()
      await storage?.stop()
      if (folder) await rm(folder, { recursive: true, force: true })
      vi.unstubAllEnvs()
    })

    const start = async () => {
      const instance = await startInstance(variables, folder)
      running.add(instance)
      void instance.ended.then(() => running.delete(instance))
      return instance
    }
    /** Starts a backup, which continues one that was killed. */
    const startBackup = (name: string): Command => {
      const own = new Set(['SERVICEKIT_CONTROL_TOKEN'])
      const given = Object.entries(variables).filter(([variable]) => !own.has(variable))
      const args = ['backup', '--out', join(folder, name)]
      const command = startCommand(args, Object.fromEntries(given), folder)
      running.add(command)
      void command.ended.then(() => running.delete(command))
      return command
    }

    it.skipIf(!isRun)(
      `loses no acknowledged write, webhook or backup when processes are killed ${kills} times`,
      async ({ skip }) => {
        if (missing) skip(missing)
        const random = randomOf(seed)
        const record = newRecord()
        const first = await start()
        await createProject(first.baseUrl, hooks.address)
        await first.kill('SIGTERM')
        let backups = 0
        let interrupted = 0
        for (let kill = 0; kill < kills; kill++) {
          const instance = await start()
          const writing = startWriting(instance.baseUrl, record, seed + kill)
          await writing.busy
          hooks.answer(...Array.from({ length: 20 }, () => (random.chance(0.3) ? 500 : 200)))
          // An embedded database belongs to one process.
          const isBackedUp = engine.name === 'PostgreSQL' || random.chance(0.5)
          const isShared = isBackedUp && engine.name === 'PostgreSQL'
          const backup = isShared ? startBackup('backup') : undefined
          await delay(random.below(maxDelayMs))
          await instance.kill()
          await writing.stop()
          const late = isBackedUp && !isShared ? startBackup('backup') : backup
          if (late && late !== backup) await delay(500 + random.below(1000))
          if (!late) continue
          backups++
          await late.kill()
          if (late.child.signalCode !== null) interrupted++
          else await rm(join(folder, 'backup'), { recursive: true })
        }
        const last = await start()
        await expectComplete(last.baseUrl, record)
        await last.kill('SIGTERM')
        const files = await completeBackup()
        expect(files).toBeGreaterThanOrEqual(record.uploads.size)
        console.info(
          `${engine.name}, ${kind}, seed ${seed}: ${kills} instances and ${interrupted} of ${backups} backups killed; ${record.notes.size} records, ${record.updates.size} updates, ${record.deletes.size} deletes, ${record.edits} edits, ${record.uploads.size} of ${record.sent.size} uploads acknowledged; ${files} files in the backup`,
        )
      },
      1_800_000,
    )

    async function expectComplete(baseUrl: string, record: Acknowledged): Promise<void> {
      const texts = new Map<string, string | null>()
      const ids = [...record.notes, ...record.deletes]
      for (let at = 0; at < ids.length; at += 500) {
        const { Notes } = await query<{
          Notes: { items: { ItemId: string; Text: string | null }[] }
        }>(
          baseUrl,
          `query ($ids: [String]) {
            Notes(where: {ItemId: {in: $ids}}, paging: {pageNo: 1, pageSize: 500}) {
              items { ItemId Text }
            }
          }`,
          { ids: ids.slice(at, at + 500) },
        )
        for (const { ItemId, Text } of Notes.items) texts.set(ItemId, Text)
      }
      expect(new Set(texts.keys())).toEqual(record.notes)
      for (const [id, text] of record.updates) expect(texts.get(id)).toBe(text)

      const address = `${baseUrl}/uilm/v1/Key/GetUilmFile?Language=en-US&ModuleName=m&ProjectKey=P`
      const file = await fetch(address, { headers: { 'x-service-key': 'P' } })
      const served: unknown = await file.json()
      expect(served).toEqual({ ONE: expect.stringMatching(/^\d+$/) })
      const { ONE } = served as { ONE: string }
      expect(Number(ONE)).toBeGreaterThanOrEqual(record.lastEdit.acknowledged)
      expect(Number(ONE)).toBeLessThanOrEqual(record.lastEdit.sent)

      const files = filesOf(baseUrl, await issueToken(baseUrl))
      for (const [id, hash] of record.uploads) {
        const bytes = await files.read(id)
        expect(bytes && hashOf(bytes), `upload ${id}`).toBe(hash)
      }
      // Neither a part of a file nor a record without bytes is served.
      for (const [id, hash] of record.sent) {
        const bytes = await files.read(id)
        expect([undefined, hash], `file ${id}`).toContain(bytes && hashOf(bytes))
      }
      const listed = await files.list()
      expect(listed.filter((id) => !record.sent.has(id))).toEqual([])
      for (const id of listed) expect(await files.read(id), `listed file ${id}`).toBeDefined()

      hooks.answer()
      await expect
        .poll(
          async () => {
            await sendControl(baseUrl, 'POST', '/queue/drain')
            const path = '/projects/P/deliveries?state=pending'
            return (await (await sendControl(baseUrl, 'GET', path)).json()) as unknown[]
          },
          { timeout: 120_000, interval: 200 },
        )
        .toEqual([])
      const received = await hooks.take(1)
      const messages = new Set(received.map(({ headers }) => headers['webhook-id']))
      expect(messages.size).toBeGreaterThanOrEqual(record.edits)
      expect(messages.size).toBeLessThanOrEqual(record.lastEdit.sent)
      const deliveries = await sendControl(baseUrl, 'GET', '/projects/P/deliveries?limit=500')
      const states = ((await deliveries.json()) as { state: string }[]).map(({ state }) => state)
      expect(new Set(states)).toEqual(new Set(['delivered']))
    }

    /** Completes the backup that was killed last, and takes one of the final state. */
    async function completeBackup(): Promise<number> {
      for (const name of ['backup', 'final']) {
        const { ended, printed } = startBackup(name)
        // It prints its progress there as well.
        expect([await ended, printed.stderr]).toEqual([0, expect.not.stringContaining('warn')])
        const from = ['restore', '--verify', '--from', join(folder, name), '--json']
        const verified = await runCommand(from, {}, folder)
        expect(verified.code, verified.stderr).toBe(0)
        if (name === 'backup') continue
        return (JSON.parse(verified.stdout) as { files: number }).files
      }
      return 0
    }
  })
})
