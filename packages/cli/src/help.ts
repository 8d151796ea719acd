import { defineCommand, renderUsage } from 'citty'
import type { Command } from './command.ts'

/** The list of commands. */
export function usage(commands: Readonly<Record<string, Command>>): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  return [
    'servicekit: typed texts, typed data and a local platform',
    '',
    ...Object.entries(commands).map(
      ([name, { description }]) => `  servicekit ${name.padEnd(width)}  ${description}`,
    ),
    '',
    'servicekit <command> --help says what a command takes.',
    'Exit codes: 0 done, 1 findings, 2 usage, 3 committed files differ, 4 network, 5 nothing committed.',
    '',
  ].join('\n')
}

/** One command and its flags. */
export async function usageOf(name: string, { description, flags }: Command): Promise<string> {
  const meta = { name: `servicekit ${name}`, description }
  return `${await renderUsage(defineCommand({ meta, args: flags }))}\n`
}
