import { explainLine } from '@servicekit/core'

/**
 * Adds the command that explains it to the message of an error of this toolkit. Commands and
 * plugins do so where they print errors; other programs get the code.
 */
export function addExplainLine(error: unknown): unknown {
  const isOurs = error instanceof Error && 'details' in error && 'code' in error
  if (!isOurs) return error
  // Read first: the stack may be formatted on its first use.
  const { message, stack } = error
  error.message = `${message}\n${explainLine(String(error.code))}`
  // Rolldown prints the stack, which contains the message.
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
  return error
}
