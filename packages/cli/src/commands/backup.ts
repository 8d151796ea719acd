import { formatCount } from '@servicekit/core'
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
  out: {
    type: 'string',
    valueHint: 'DIR',
    description: 'Folder of the backup; an interrupted one is continued',
  },
  previous: {
    type: 'string',
    valueHint: 'DIR',
    description: 'Earlier backup, whose unchanged files are linked instead of copied',
  },
  ...backupFlags,
} as const

/** `servicekit backup`: saves the database and the files of a server. */
export const backup: Command = {
  description: 'Save the database and files of a server to a folder',
  flags: () => withServerFlags(own),
  async run(args, io) {
    const { runBackup } = await loadServer()
    const input = { own, title: 'Saving files', folder: 'out' } as const
    const report = await runWithBackup(args, io, input, runBackup)
    const hasLost = warnAbout(report, io)
    const { pending, stored } = report.uploads ?? { pending: 0, stored: 0 }
    if (pending > 0) {
      io.stderr(
        `${formatCount(pending, 'pending upload')}: ${stored} found in the storage, ${pending - stored} without bytes\n`,
      )
    }
    const text = `${report.folder}: ${report.isContinued ? 'continued ' : ''}${summaryOf(report)}`
    io.stdout(isSet(args, 'json') ? `${JSON.stringify(report)}\n` : `${text}\n`)
    return hasLost ? exitCode.findings : exitCode.ok
  },
}
