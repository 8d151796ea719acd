import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { ConfigError } from '@servicekit/client'
import type { BackupCommand, BackupSecret, VerifyReport } from '@servicekit/server'
import { formatCount, secretProblem } from '@servicekit/core'
import { type Arguments, type Flags, flagValues, jsonFlag, textFlags } from './flags.ts'
import { bytes } from './format.ts'
import type { Io } from './io.ts'
import { loadServer } from './optional-packages.ts'
import { startProgress } from './progress.ts'

/**
 * Flags of all commands for backups. The secret of an encrypted one is never an argument, which
 * others can read.
 */
export const backupFlags = {
  'passphrase-file': {
    type: 'string',
    valueHint: 'FILE',
    description: 'File with the passphrase of an encrypted backup; - for standard input',
  },
  'key-file': {
    type: 'string',
    valueHint: 'FILE',
    description: 'File with the age identity of an encrypted backup, instead of a passphrase',
  },
  'postgres-bin': {
    type: 'string',
    valueHint: 'DIR',
    description: 'Folder of pg_dump and pg_restore (default: they are found in PATH)',
  },
  concurrency: {
    type: 'integer',
    range: [1, 256],
    valueHint: 'N',
    description: 'Number of files that are copied at once (default: 8)',
  },
  json: jsonFlag,
} as const satisfies Flags

/** Flags of `serve` that select its data. */
const dataFlags = /^(?:config|allow|database-|data-dir|secret-|storage-|instance|public-url)/

/** Returns the flags of a command together with those of the server's database and storage. */
export async function withServerFlags(own: Flags): Promise<Flags> {
  const { serveFlags } = await loadServer()
  const shared = Object.entries(serveFlags()).filter(([name]) => dataFlags.test(name))
  return { ...own, ...Object.fromEntries(shared) }
}

/** Prepares a command that saves, restores or verifies a backup, and runs it with a progress. */
export async function runWithBackup<Report>(
  args: Arguments,
  io: Io,
  { own, title, folder: name }: { own: Flags; title: string; folder: 'out' | 'from' },
  run: (command: BackupCommand) => Promise<Report>,
): Promise<Report> {
  const flags = textFlags(args, await withServerFlags(own))
  const backup = flags.get(name)
  if (!backup) throw new ConfigError(`--${name} is required`, { help: `Use --${name} DIR.` })
  const secret = await readSecret(flags)
  const { concurrency } = flagValues(args, backupFlags)
  const progress = await startProgress(io, title)
  try {
    return await run({
      flags: new Map([...flags].filter(([flag]) => !(flag in own))),
      env: process.env,
      folder: process.cwd(),
      backup,
      secret,
      previous: flags.get('previous'),
      postgresBin: flags.get('postgres-bin'),
      concurrency,
      signal: io.signal,
      onProgress: (done, total) => progress.report(done, total),
    })
  } finally {
    progress.end()
  }
}

async function readSecret(flags: ReadonlyMap<string, string>): Promise<BackupSecret | undefined> {
  const [passphrase, key] = [flags.get('passphrase-file'), flags.get('key-file')]
  if (passphrase !== undefined && key !== undefined) {
    throw new ConfigError('Cannot use --passphrase-file together with --key-file')
  }
  const path = passphrase ?? key
  if (path === undefined) return undefined
  const text =
    path === '-'
      ? await readAll(process.stdin)
      : await readFile(resolve(path), 'utf8').catch((cause: unknown) => {
          throw new ConfigError(`Cannot read ${path}`, { cause })
        })
  const value = text.trimEnd()
  // The program that decrypts checks an identity.
  if (key !== undefined) return { kind: 'key', value }
  const problem = secretProblem(value, 12)
  if (problem === undefined) return { kind: 'passphrase', value }
  throw new ConfigError(`The passphrase in ${path} ${problem}`, {
    help: '`openssl rand -base64 32` creates one.',
  })
}

/** Describes a backup on one line. */
export const summaryOf = ({ createdAt, files, bytes: size, isEncrypted }: VerifySummary): string =>
  `backup of ${createdAt}: database and ${formatCount(files, 'file')}, ${bytes(size)}${isEncrypted ? ', encrypted' : ''}`

type VerifySummary = Pick<VerifyReport, 'createdAt' | 'files' | 'bytes' | 'isEncrypted'>

const meanings = {
  deleted: 'was deleted during the backup',
  absent: 'has no bytes in its storage',
  changed: 'was replaced during the backup',
} as const

/** Prints a warning for each file that differs from its record in the database. @returns if bytes are lost */
export function warnAbout({ problems }: Pick<VerifyReport, 'problems'>, io: Io): boolean {
  for (const { projectKey, itemId, problem } of problems) {
    io.stderr(`warn: file ${itemId} of project ${projectKey} ${meanings[problem!]}\n`)
  }
  return problems.some(({ problem }) => problem === 'absent')
}
