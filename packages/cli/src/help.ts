import type { Command } from './command.ts'
import { type Flag, splitNames } from './flags.ts'

/** Returns the help text with the list of commands. */
export function usage(commands: Readonly<Record<string, Command>>): string {
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
    'Exit codes: 0 success, 1 problems found, 2 invalid usage, 3 files out of date, 4 network error,',
    '5 no committed files, 6 package not installed, 130 stopped by Ctrl-C.',
    '',
  ].join('\n')
}

/**
 * Returns the help text of a command and its flags, as plain text: it is often read in logs
 * and through `less`.
 */
export async function usageOf(
  name: string,
  { description, flags: given }: Command,
): Promise<string> {
  const flags = typeof given === 'function' ? await given() : given
  const { positionals } = splitNames(flags)
  const args = positionals.map((one) => `${one.toUpperCase()} `).join('')
  const rows = Object.entries(flags).map(
    ([flag, definition]) => [formatFlag(flag, definition), definition.description ?? ''] as const,
  )
  return [
    description,
    '',
    `Usage: servicekit ${name} ${args}[flags]`,
    '',
    ...columns([
      ...rows,
      ['-y, --yes', 'Install missing packages and accept defaults without asking'] as const,
      ['-h, --help', 'Print this help'] as const,
    ]),
    '',
  ].join('\n')
}

const formatFlag = (flag: string, { type, valueHint }: Flag): string =>
  type === 'positional'
    ? flag.toUpperCase()
    : type === 'boolean'
      ? `--${flag}`
      : `--${flag} ${valueHint ?? 'VALUE'}`

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
