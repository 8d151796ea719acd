import type { Command } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { checkFlags, textOfFlags } from '../flags.ts'
import { loadServer } from '../optional-packages.ts'

/** `servicekit serve`: runs the platform for a team until it is stopped. */
export const serve: Command = {
  description: 'Run the platform for a team, with production defaults',
  flags: async () => (await loadServer()).serveFlags(),
  async run(rawArgs, io) {
    const server = await loadServer()
    const known = server.serveFlags()
    checkFlags(rawArgs, known)
    const flags = textOfFlags(rawArgs, known)
    const options = { flags, env: process.env, folder: process.cwd() }
    if (flags.get('check-config') === 'true') {
      io.stdout(await server.checkConfig(options))
      return exitCode.ok
    }
    const isComplete = await server.serve({ ...options, stdout: io.stdout, signal: io.signal })
    // Something still holds a connection, and would keep the process running.
    if (!isComplete) process.exit(exitCode.findings)
    return exitCode.ok
  },
}
