import {
  runWithBackup,
  backupFlags,
  summaryOf,
  warnAbout,
  withServerFlags,
} from '../backup-flags.ts'
import type { Command } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { isSet } from '../flags.ts'
import { loadServer } from '../optional-packages.ts'

const own = {
  from: { type: 'string', valueHint: 'DIR', description: 'Folder of the backup' },
  verify: {
    type: 'boolean',
    description: 'Only check that the backup is complete and unchanged; needs no server',
  },
  force: { type: 'boolean', description: 'Replace the data of an instance that is not empty' },
  ...backupFlags,
} as const

/** `servicekit restore`: restores or verifies a backup. */
export const restore: Command = {
  description: 'Restore a backup into an empty database and storage, or verify it',
  flags: () => withServerFlags(own),
  async run(args, io) {
    const { runRestore, runVerify } = await loadServer()
    const input = { own, title: 'Checking and restoring files', folder: 'from' } as const
    const report = await runWithBackup(args, io, input, async (command) =>
      isSet(args, 'verify')
        ? runVerify(command)
        : runRestore({ ...command, isForced: isSet(args, 'force') }),
    )
    warnAbout(report, io)
    if ('hasSameSecret' in report && !report.hasSameSecret) {
      io.stderr(
        'warn: the setting secret is not that of the backup. Tokens of tools and secrets of webhooks cannot be decrypted until it is.\n',
      )
    }
    const done = 'hasSameSecret' in report ? 'restored' : 'valid'
    const text = `${report.folder}: ${done} ${summaryOf(report)}`
    io.stdout(isSet(args, 'json') ? `${JSON.stringify(report)}\n` : `${text}\n`)
    return exitCode.ok
  },
}
