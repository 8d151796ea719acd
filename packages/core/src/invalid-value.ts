/**
 * Formats the message for an invalid value: `--port must be an integer between 0 and 65535
 * (received "abc")`.
 *
 * @param expected What the value must be, such as {@link formatChoice} returns.
 */
export function invalidValue(name: string, expected: string, value: unknown): string {
  const received = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return `${name} must be ${expected} (received ${received})`
}

/** Formats the values of a choice: `a, b or c`. */
export const formatChoice = (allowed: readonly unknown[]): string =>
  allowed.join(', ').replace(/, (?=[^,]*$)/, ' or ')

/** Formats a range of integers. */
export const formatRange = (min: number, max?: number): string =>
  max === undefined ? `an integer of at least ${min}` : `an integer between ${min} and ${max}`
