import { ConfigError, ServicekitError } from '@servicekit/client'
import { docsLink, explainCommand, explainLine, unknownName } from '@servicekit/core'
import manifest from '../package.json' with { type: 'json' }
import { type Command, flagsOf } from './command.ts'
import { exitCode, exitCodeOf, isKnownError } from './exit-codes.ts'
import { isSet, jsonFlag, projectFlags, readArguments } from './flags.ts'
import { usage, usageOf } from './help.ts'
import type { Io } from './io.ts'
import { createSafeIo } from './safe-io.ts'

/** Commands by name, loaded on demand. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./commands/init.ts')).init,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  explain: async () => (await import('./commands/explain.ts')).explain,
  dev: async () => (await import('./commands/dev.ts')).dev,
  serve: async () => (await import('./commands/serve.ts')).serve,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  admin: async () => (await import('./commands/admin.ts')).admin,
  'migrate-database': async () => (await import('./commands/migrate-database.ts')).migrateDatabase,
  pull: async () => (await import('./commands/pull.ts')).pull,
  compile: async () => (await import('./commands/compile.ts')).compile,
  repack: async () => (await import('./commands/repack.ts')).repack,
  add: async () => (await import('./commands/add.ts')).add,
  push: async () => (await import('./commands/push.ts')).push,
  rename: async () => (await import('./commands/rename.ts')).renameCommand,
  check: async () => (await import('./commands/check.ts')).check,
  translate: async () => (await import('./commands/translate.ts')).translate,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  codegen: async () => (await import('./commands/codegen.ts')).codegen,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
}

/**
 * Runs one command and resolves with the exit code. Never throws: errors are printed, as
 * one line of JSON with `--json`.
 */
export async function main(args: readonly string[], processIo: Io): Promise<number> {
  const io = createSafeIo(processIo)
  const [name, ...rest] = args
  try {
    if (name === '--version' || name === '-v' || name === '-V') {
      io.stdout(`${manifest.version}\n`)
      return exitCode.ok
    }
    if (name === 'help' && rest[0] !== undefined && !rest[0].startsWith('-')) {
      io.stdout(await usageOf(rest[0], await find(rest[0])))
      return exitCode.ok
    }
    if (name === '--help' || name === '-h' || name === 'help') {
      io.stdout(usage(await all()))
      return exitCode.ok
    }
    // To standard error: nothing was done, so a script that pipes the result gets none.
    if (name === undefined) {
      io.stderr(usage(await all()))
      return exitCode.usage
    }
    return await runWithPackages(name, rest, io)
  } catch (error) {
    // The flags of the command may not be known: it does not exist, or its package is missing.
    const isJson = isSet(readArguments(rest, { json: jsonFlag }), 'json')
    // After an abort, any error is just a consequence of it.
    if (io.signal.aborted) {
      io.stderr(isJson ? stoppedJson : 'Stopped\n')
      return exitCode.stopped
    }
    io.stderr(isJson ? `${JSON.stringify({ error: asJson(error) })}\n` : asText(error))
    return exitCodeOf(error)
  }
}

const stoppedJson = `${JSON.stringify({ error: { code: 'STOPPED', message: 'Stopped' } })}\n`

async function find(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load) return load()
  throw new ConfigError(unknownName('command', name, Object.keys(commands)))
}

async function run(name: string, rawArgs: readonly string[], io: Io): Promise<number> {
  const command = await find(name)
  const args = readArguments(rawArgs, await flagsOf(command))
  if (isSet(args, 'help')) {
    io.stdout(await usageOf(name, command))
    return exitCode.ok
  }
  if (args.problem) throw args.problem
  const { prompts: _, ...silent } = io
  return command.run(args, isSet(args, 'yes') ? { ...silent, assumesYes: true } : io)
}

/** Runs a command, and runs it again after installing an optional package that is missing. */
async function runWithPackages(name: string, rawArgs: readonly string[], io: Io): Promise<number> {
  try {
    return await run(name, rawArgs, io)
  } catch (error) {
    const isMissing = error instanceof ServicekitError && error.code === 'PACKAGE_MISSING'
    if (!isMissing || !io.restart) throw error
    const { package: missing } = error.details
    // Without a name, an installation failed.
    if (typeof missing !== 'string' || io.installed?.includes(missing)) throw error
    const { installPackage } = await import('./install-package.ts')
    // Other flags may not be known, because the missing package has them.
    const args = readArguments(rawArgs, { root: projectFlags.root })
    const root = args.values.get('root')?.at(-1) ?? '.'
    await installPackage(error, { root, yes: isSet(args, 'yes'), io })
    return io.restart(missing)
  }
}

const all = async (): Promise<Readonly<Record<string, Command>>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(commands).map(async ([name, load]) => [name, await load()] as const),
    ),
  )

/** Formats an error. An unexpected error includes its stack, so that it can be reported. */
function asText(error: unknown): string {
  if (isKnownError(error)) {
    return `${error.message}\n${protocolHint(error)}${explainLine(error.code)}\n`
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `${stack}\nThis is a bug in servicekit ${manifest.version}. Please report it with the lines above.\n`
}

/** Explains the codes of OpenSSL for a response that is not TLS. */
const protocolHint = ({ message }: Error): string =>
  /ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)/.test(message)
    ? 'The port does not speak https. Begin the URL with http://.\n'
    : ''

function asJson(error: unknown): object {
  if (!isKnownError(error)) return { code: 'UNEXPECTED', message: asText(error).trimEnd() }
  const { code, message, details, help } = error
  const [summary] = message.split('\n', 1)
  return {
    code,
    message: summary,
    details,
    help,
    explain: explainCommand(code),
    docs: docsLink(code),
  }
}
