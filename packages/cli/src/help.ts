import { type Command, flagsOf } from './command.ts'
import { exitCodeMeanings } from './exit-codes.ts'
import { commonFlags, type Flag, splitNames } from './flags.ts'

/** Returns the help text with the list of commands. */
export function usage(commands: Readonly<Record<string, Command>>): string {
  const codes = exitCodeMeanings.map(([code, meaning]) => `${code} ${meaning}`)
  return [
    'servicekit: typed translations, typed data access and a local platform',
    '',
    'Usage: servicekit <command> [flags]',
    '',
    ...columns(
      Object.entries(commands).map(([name, { description }]) => [name, description] as const),
    ),
    '',
    'Run servicekit <command> --help for the flags of a command, servicekit --version for the version.',
    `Exit codes: ${codes.slice(0, 5).join(', ')},`,
    `${codes.slice(5).join(', ')}.`,
    '',
  ].join('\n')
}

/**
 * Returns the help text of a command and its flags, as plain text: it is often read in logs
 * and through `less`.
 */
export async function usageOf(name: string, command: Command): Promise<string> {
  const flags = { ...(await flagsOf(command)), ...commonFlags }
  const { positionals } = splitNames(flags)
  const args = positionals.map((one) => `${one.toUpperCase()} `).join('')
  const rows = Object.entries(flags).map(
    ([flag, definition]) => [formatFlag(flag, definition), definition.description ?? ''] as const,
  )
  return [
    command.description,
    '',
    `Usage: servicekit ${name} ${args}[flags]`,
    '',
    ...columns(rows),
    '',
  ].join('\n')
}

function formatFlag(flag: string, { type, valueHint = 'VALUE', short }: Flag): string {
  if (type === 'positional') return flag.toUpperCase()
  const names = short === undefined ? `--${flag}` : `-${short}, --${flag}`
  return type === 'boolean' ? names : `${names} ${valueHint}`
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
