import type { Command } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { isSet, textFlags } from '../flags.ts'
import { loadServer } from '../optional-packages.ts'

/** `servicekit serve`: runs the platform for a team until it is stopped. */
export const serve: Command = {
  description: 'Run the platform for a team, with production defaults',
  flags: async () => (await loadServer()).serveFlags(),
  async run(args, io) {
    const server = await loadServer()
    const flags = textFlags(args, server.serveFlags())
    const options = { flags, env: process.env, folder: process.cwd() }
    if (isSet(args, 'check-config')) {
      const { text, isComplete } = await server.checkConfig(options)
      io.stdout(text)
      return isComplete ? exitCode.ok : exitCode.findings
    }
    const isComplete = await server.serve({ ...options, stdout: io.stdout, signal: io.signal })
    // Something may still hold a connection, which would keep the process running.
    if (!isComplete) process.exit(exitCode.findings)
    return exitCode.ok
  },
}
