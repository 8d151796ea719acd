import { format } from 'node:util'

/** Warnings and errors that were printed and that no test has taken. */
const printed: string[] = []

/**
 * Returns and clears the warnings and errors printed so far in this test, as `'warn: the
 * text'` and `'error: the text'`. Warnings that a test does not take make it fail.
 */
export const takeWarnings = (): string[] => printed.splice(0)

/**
 * Records warnings and errors that code prints, and Node's process warnings, until the
 * returned function is called. The setup file does this for every test.
 */
export function recordWarnings(): () => void {
  const { warn, error } = console
  const onWarning = (warning: Error): void => {
    if (warning.name !== 'ExperimentalWarning') printed.push(`warn: ${warning}`)
  }
  console.warn = (...args) => void printed.push(`warn: ${format(...args)}`)
  console.error = (...args) => void printed.push(`error: ${format(...args)}`)
  process.on('warning', onWarning)
  return () => {
    Object.assign(console, { warn, error })
    process.off('warning', onWarning)
  }
}
