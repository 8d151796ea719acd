import { PlatformError } from '@servicekit/platform'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

/** Program of PostgreSQL that saves or restores a database. */
export interface PostgresTool {
  readonly name: 'pg_dump' | 'pg_restore'
  readonly path: string
  /** Version such as 15.4. */
  readonly version: string
}

const majorOf = (version: string): number => Number.parseInt(version, 10)

/**
 * Finds a program of PostgreSQL.
 *
 * @param folder folder of the program; by default it is found in PATH.
 * @param serverVersion version of the database, which must not be newer than the program.
 * @throws PlatformError `OPTION_INVALID` if it is missing or too old.
 */
export async function findTool(
  name: PostgresTool['name'],
  folder: string | undefined,
  serverVersion?: string,
): Promise<PostgresTool> {
  const path = folder === undefined ? name : join(folder, name)
  const major = serverVersion === undefined ? '' : String(majorOf(serverVersion))
  const help = `Install the client programs of PostgreSQL${major && ` ${major}`} (package postgresql-client${major && `-${major}`} of Debian, postgresql${major}-client of Alpine), or name their folder with --postgres-bin.`
  const { stdout } = await promisify(execFile)(path, ['--version']).catch((cause: unknown) => {
    throw new PlatformError('OPTION_INVALID', `Cannot run ${path}.`, { cause, help })
  })
  const version = /\d+(?:\.\d+)*/.exec(stdout)?.[0] ?? ''
  if (serverVersion !== undefined && majorOf(version) < majorOf(serverVersion)) {
    throw new PlatformError('OPTION_INVALID', `${name} is older than the database.`, {
      details: { path, version, database: serverVersion },
      help,
    })
  }
  return { name, path, version }
}

/** Returns the argument and the environment that connect to a database. The argument has no password. */
function connection(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  // Known only to the driver of Node.
  url.searchParams.delete('uselibpqcompat')
  return {
    argument: `--dbname=${url.href}`,
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
  }
}

interface RunOptions {
  readonly args: readonly string[]
  /** Database to connect to, if any. */
  readonly databaseUrl?: string
  readonly input?: Readable
  readonly signal: AbortSignal
}

/**
 * Runs a program, and yields its standard output.
 *
 * @throws PlatformError `DATABASE_FAILED` with its last messages.
 */
export async function* runTool(
  { name, path }: PostgresTool,
  { args, databaseUrl, input, signal }: RunOptions,
): AsyncGenerator<Buffer> {
  const database = databaseUrl === undefined ? undefined : connection(databaseUrl)
  const all = database ? [...args, database.argument] : [...args]
  const child = spawn(path, all, {
    env: database?.env ?? process.env,
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    signal,
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  const messages = readAll(child.stderr!)
  // It reads no further after an error of its own, which it prints.
  const sent = input && pipeline(input, child.stdin!).catch((error: Error) => error)
  ended.catch(() => {})
  messages.catch(() => {})
  try {
    yield* child.stdout!
    const [code] = await ended
    const failure = await sent
    // A program that needs only the beginning of its input closes it.
    if (failure && !closed.has((failure as NodeJS.ErrnoException).code)) throw failure
    if (code === 0) return
    throw new PlatformError('DATABASE_FAILED', `${name} failed.`, {
      details: {
        code: String(code),
        reason: (await messages).trim().split('\n').slice(-5).join(' '),
      },
    })
  } finally {
    child.kill()
  }
}

/** Codes of errors of a pipe whose other end was closed. */
const closed = new Set<string | undefined>(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Runs a program to its end. */
export async function finishTool(tool: PostgresTool, options: RunOptions): Promise<string> {
  const printed: Buffer[] = []
  for await (const chunk of runTool(tool, options)) printed.push(chunk)
  return Buffer.concat(printed).toString()
}
