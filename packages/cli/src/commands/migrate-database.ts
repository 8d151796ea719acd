import { formatCount } from '@servicekit/core'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { jsonFlag } from '../flags.ts'
import { loadServer } from '../optional-packages.ts'

/** `servicekit migrate-database`: applies the migrations of the database of `serve`. */
export const migrateDatabase = defineCommand({
  description: 'Apply the pending migrations of the PostgreSQL database of a server',
  flags: {
    'dry-run': {
      type: 'boolean',
      description: 'Only list them; exits with 1 if there are pending ones',
    },
    config: { type: 'string', valueHint: 'FILE', description: 'Config file of the server' },
    'database-url-file': {
      type: 'string',
      valueHint: 'FILE',
      description: 'File with the URL of the database (default: SERVICEKIT_DATABASE_URL)',
    },
    json: jsonFlag,
  },
  async run(flags, io) {
    const { runMigrations } = await loadServer()
    const names = ['config', 'database-url-file'] as const
    const given = new Map(names.flatMap((name) => (flags[name] ? [[name, flags[name]]] : [])))
    const dryRun = flags['dry-run'] === true
    const pending = await runMigrations({
      flags: given,
      env: process.env,
      folder: process.cwd(),
      dryRun,
      onNotice: (message) => io.stderr(`${message}\n`),
    })
    if (flags.json) io.stdout(`${JSON.stringify({ pending, dryRun })}\n`)
    else {
      const verb = dryRun ? 'pending' : 'applied'
      io.stdout(
        pending.length === 0
          ? 'The database is up to date\n'
          : `${formatCount(pending.length, 'migration')} ${verb}: ${pending.join(', ')}\n`,
      )
    }
    return dryRun && pending.length > 0 ? exitCode.findings : exitCode.ok
  },
})
