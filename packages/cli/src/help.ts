import type { ArgDef } from 'citty'
import type { Command } from './command.ts'

/** Returns the help text with the list of commands. */
export function usage(commands: Readonly<Record<string, Command>>): string {
  return [
    'servicekit: typed texts, typed data and a local platform',
    '',
    'Usage: servicekit <command> [flags]',
    '',
    ...columns(
      Object.entries(commands).map(([name, { description }]) => [name, description] as const),
    ),
    '',
    'servicekit <command> --help says what a command takes, servicekit --version which one this is.',
    'Exit codes: 0 done, 1 findings, 2 usage, 3 committed files differ, 4 network, 5 nothing committed,',
    '130 stopped by Ctrl-C.',
    '',
  ].join('\n')
}

/**
 * Returns the help text of a command and its flags, as plain text: it is often read in logs
 * and through `less`.
 */
export function usageOf(name: string, { description, flags }: Command): string {
  const rows = Object.entries(flags).map(
    ([flag, definition]) => [spelled(flag, definition), definition.description ?? ''] as const,
  )
  return [
    description,
    '',
    `Usage: servicekit ${name} [flags]`,
    '',
    ...columns([...rows, ['-h, --help', 'Print this'] as const]),
    '',
  ].join('\n')
}

const spelled = (flag: string, { type, valueHint }: ArgDef): string =>
  type === 'boolean' ? `--${flag}` : `--${flag} ${valueHint ?? 'VALUE'}`

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
