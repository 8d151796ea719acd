import { appendFileSync } from 'node:fs'

/**
 * Records figures of a framework or bundler for the table of `npm run leaks`. Does nothing in
 * other runs.
 *
 * @param {string} name of the framework or bundler; figures of the same name are combined
 * @param {import('./record-leaks.mjs').LeakFigures} figures
 */
export function recordLeaks(name, figures) {
  const file = process.env['SERVICEKIT_LEAKS']
  if (file) appendFileSync(file, `${JSON.stringify({ name, ...figures })}\n`)
}
