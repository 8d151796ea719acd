import type { ErrorDetails } from './errors.ts'

/** The text of an error: what failed, then the facts, then what to do. */
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
 * Names and messages come from a service as well: no line of theirs may pass for
 * one of ours, and no escape sequence may reach a terminal.
 */
const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return line.length > 600 ? `${line.slice(0, 599)}…` : line
}
