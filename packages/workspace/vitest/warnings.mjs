import { format } from 'node:util'

/**
 * Printed warnings that no test has taken. The setup file and the tests may each load this
 * module and must share one list.
 *
 * @type {string[]}
 */
const printed = Reflect.get(globalThis, Symbol.for('servicekit.printed')) ?? []
Reflect.set(globalThis, Symbol.for('servicekit.printed'), printed)

/** @type {typeof import('./warnings.d.mts').takeWarnings} */
export const takeWarnings = () => printed.splice(0)

/** @type {typeof import('./warnings.d.mts').recordWarnings} */
export const recordWarnings = () => {
  const { warn, error } = console
  /** @param {Error} warning */
  const onWarning = (warning) => {
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
