import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { missingPackages } from './debian-packages.ts'
import { postgresUser } from './debian-postgres.ts'

const programs = ['/usr/bin/etcd', '/usr/bin/patroni', '/usr/sbin/haproxy']

/** Returns why Patroni is not available on this machine, like `postgres15Fault`. */
export const patroniFault = (): Promise<string | undefined> =>
  missingPackages(['postgresql-15', 'patroni', 'etcd-server', 'haproxy'], () =>
    [...programs, '/usr/lib/postgresql/15/bin/postgres'].every((path) => existsSync(path)),
  )

const documentation = new URL('../../../docs/operations/distributed-databases.md', import.meta.url)
const numbers = [1, 2, 3] as const
type NodeNumber = (typeof numbers)[number]

/** Member of the cluster, as Patroni lists it. */
interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/**
 * Starts the cluster that `docs/operations/distributed-databases.md` describes, from the files that
 * it shows: three nodes on loopback addresses of their own, and HAProxy.
 */
export async function startPatroni() {
  const page = await readFile(documentation, 'utf8')
  const fileOf = (kind: string): string =>
    new RegExp(`\n\`\`\`${kind}\n([^]*?)\`\`\``).exec(page)![1]!
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-patroni-'))
  const user = await postgresUser()
  if (user) await chown(folder, user.uid, user.gid)
  // Clusters of several test runs have addresses of their own.
  const random = () => 1 + Math.floor(Math.random() * 250)
  const network = `127.${random()}.${random()}`

  /** Returns a file of the page with the addresses and the paths of a node. */
  const adapt = (text: string, number: NodeNumber): string =>
    text
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll(/(?<=(?:name|NAME)\W+)node1/g, `node${number}`)
      .replaceAll(/(?<=(?:listen|address|URLS=http:\/)\W+)10\.0\.0\.1/g, `10.0.0.${number}`)
      .replaceAll('10.0.0', network)
      .replaceAll('/var/lib/postgresql/patroni', join(folder, `data${number}`))
      .replaceAll('/var/lib/etcd/servicekit', join(folder, `etcd${number}`))
      .replaceAll('/var/run/postgresql', join(folder, `run${number}`))
      .replaceAll('127.0.0.1:5000', `${network}.9:5000`)
  const children = new Map<string, ChildProcess>()
  const start = async (
    name: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    const log = await open(join(folder, `${name}.log`), 'a')
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', log.fd, log.fd],
      ...user,
    })
    children.set(name, child)
    await log.close()
  }
  const kill = async (name: string): Promise<void> => {
    const child = children.get(name)!
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const startNode = (number: NodeNumber): Promise<void> =>
    start(`node${number}`, '/usr/bin/patroni', [join(folder, `node${number}.yml`)], {
      // It writes .pgpass there.
      HOME: join(folder, `run${number}`),
    })
  /** Kills the process that is the parent of all others of a PostgreSQL server. */
  const killPostgres = async (number: NodeNumber): Promise<void> => {
    const path = join(folder, `data${number}`, 'postmaster.pid')
    const [pid] = (await readFile(path, 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
  }

  for (const number of numbers) {
    const settings = adapt(fileOf('ini'), number).trim().split('\n')
    const env = Object.fromEntries(settings.map((line) => line.split(/=(.*)/s).slice(0, 2)))
    await start(`etcd${number}`, '/usr/bin/etcd', ['--logger=zap', '--log-level=error'], env)
    await mkdir(join(folder, `run${number}`))
    if (user) await chown(join(folder, `run${number}`), user.uid, user.gid)
    await writeFile(join(folder, `node${number}.yml`), adapt(fileOf('yaml'), number))
    await startNode(number)
  }
  await writeFile(join(folder, 'haproxy.cfg'), adapt(fileOf('txt'), 1))
  await start('haproxy', '/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])

  const members = async (): Promise<readonly Member[]> => {
    for (const number of numbers) {
      try {
        const address = `http://${network}.${number}:8008/cluster`
        const response = await fetch(address, { signal: AbortSignal.timeout(2000) })
        const { members: found } = (await response.json()) as { members: readonly Member[] }
        return found
      } catch {
        // This node is down, or has not started yet.
      }
    }
    return []
  }
  const password = /password: (\w+)/.exec(fileOf('yaml'))![1]!
  return {
    databaseUrl: `postgres://postgres:${password}@${network}.9:5000/postgres`,
    /** Waits until there are a primary and a replica that has all of its commits. */
    ready: async (isComplete: boolean): Promise<NodeNumber> => {
      for (;;) {
        const all = await members()
        const running = all.filter(({ state }) => state === 'running' || state === 'streaming')
        const primary = running.find(({ role }) => role === 'leader')
        const isSafe = running.some(({ role }) => role === 'sync_standby')
        if (primary && isSafe && (!isComplete || running.length === numbers.length)) {
          return Number(primary.name.slice('node'.length)) as NodeNumber
        }
        await sleep(200)
      }
    },
    killPostgres,
    /** Kills all processes of a node but its etcd. */
    killNode: async (number: NodeNumber): Promise<void> => {
      await kill(`node${number}`)
      await killPostgres(number)
    },
    startNode,
    stop: async (): Promise<void> => {
      for (const name of children.keys()) await kill(name)
      for (const number of numbers) await killPostgres(number).catch(() => {})
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}
