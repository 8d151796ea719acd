import type { ErrorDetails } from './errors.ts'

/** Formats the message of an error: what failed, then the facts, then how to fix it. */
export function messageOf(
  summary: string,
  { facts = {}, help }: Pick<ErrorDetails, 'facts' | 'help'>,
): string {
  const lines = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}: ${oneLine(String(value))}`)
  return [oneLine(summary), ...lines, ...(help === undefined ? [] : [help])].join('\n')
}

/**
 * Names and messages may come from a service: they must not forge a line of ours or send an
 * escape sequence to a terminal.
 */
const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return line.length > 600 ? `${line.slice(0, 599)}…` : line
}
