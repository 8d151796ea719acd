import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@servicekit/testing/free-port'
import { expect, it, onTestFinished } from 'vitest'
import { createPlatform, type PlatformError } from '../src/index.ts'
import {
  pgbouncer,
  pgbouncerFault,
  postgres15Fault,
  postgresUser,
  startPostgres15,
} from '@servicekit/testing/debian-postgres'
import { control, people, signIn } from '@servicekit/testing/people'
import { get, project } from '@servicekit/testing/projects'
import { startServer } from '@servicekit/testing/start-server'

const schemas = [
  { schemaName: 'Note', schemaType: 1, querySchema: 'Notes', fields: [{ name: 'A', type: 'Int' }] },
]

/** Starts pgbouncer with a pool of few connections to a server. Returns the URL of the database. */
async function startPgbouncer(mode: 'session' | 'transaction', server: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-pgbouncer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${server} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 25',
    'unix_socket_dir =',
  ]
  await writeFile(file, lines.join('\n'))
  const user = await postgresUser()
  if (user) await chown(folder, user.uid, user.gid)
  const program = await startServer({
    command: pgbouncer,
    args: [file],
    port,
    cwd: folder,
    ...user,
  })
  onTestFinished(program.stop)
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}

it.for(['session', 'transaction'] as const)(
  'two instances behind pgbouncer with pool_mode %s',
  { timeout: 180_000 },
  async (mode, { skip }) => {
    const fault = (await postgres15Fault()) ?? (await pgbouncerFault())
    if (fault) skip(fault)
    const postgres = await startPostgres15()
    onTestFinished(postgres.stop)
    const databaseUrl = await startPgbouncer(mode, postgres.port)
    const errors: unknown[] = []
    const start = async () => {
      const platform = await createPlatform({ databaseUrl, onError: (error) => errors.push(error) })
      onTestFinished(() => platform.close())
      return platform
    }
    const walk = async () => {
      const [first, second] = [await start(), await start()]
      await first.loadProject(project('P', { en: { m: { A: '1' } } }, { schemas }))
      await control(first, 'P', 'PUT', '/identity', people)
      const { callback, browser } = await signIn(second, 'P')
      const me = await browser.send('/iam/v4/iam/me', { headers: { 'x-service-key': 'P' } })
      const insert = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 ? first : second).fetch(
            new Request('http://platform.local/data/v4/gateway', {
              method: 'POST',
              headers: { 'x-service-key': 'P' },
              body: JSON.stringify({
                query: 'mutation { insertNote(input: {A: 1}) { acknowledged } }',
              }),
            }),
          ),
        ),
      )
      const languages = await get(
        second,
        '/localization/v4/Language/Gets',
        { ProjectKey: 'P' },
        { key: 'P' },
      )
      const texts = await Promise.all(insert.map((one) => one.text()))
      return {
        statuses: [callback.status, me.status, languages.status],
        inserted: texts.filter((text) => text.includes('"acknowledged":true')).length,
      }
    }
    const outcome = await walk().catch(({ code, message }: PlatformError) => ({ code, message }))
    const refusal = {
      code: 'DATABASE_INCOMPATIBLE',
      message: expect.stringContaining('shares connections between transactions') as string,
    }
    const expected = { session: { statuses: [200, 200, 200], inserted: 40 }, transaction: refusal }
    expect(outcome).toEqual(expected[mode])
    expect(errors).toEqual([])
  },
)
