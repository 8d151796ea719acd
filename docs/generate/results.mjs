import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resultTable } from '../../packages/testing/scaffolds/results.mjs'
import { root } from '../../packages/workspace/lib/root.mjs'

/**
 * Returns the measured results as partial pages, by bench: `first-load` is the table of that
 * bench; `about` is the date and the machine of the measurement.
 *
 * @returns {Record<string, string>}
 */
export function resultParts() {
  const text = readFileSync(join(root, 'packages/bench/RESULTS.md'), 'utf8')
  const [intro = '', ...sections] = text.split('\n## ')
  const measured = /^Measured on .*?\.(?= \[)/m.exec(intro)?.[0]
  if (!measured) throw new Error('RESULTS.md has no date')
  const leaks = readFileSync(join(root, 'packages/bench/LEAKS.md'), 'utf8')
  return {
    leaks: `${leaks.slice(leaks.indexOf('| '))}`,
    about: `${measured}\n`,
    scaffolds: resultTable(),
    ...Object.fromEntries(
      sections.map((section) => {
        const name = /^`([\w-]+)`/.exec(section)?.[1]
        if (!name) throw new Error(`RESULTS.md has a section without a bench: ${section}`)
        return [name, `${tableOf(section).join('\n')}\n`]
      }),
    ),
  }
}

/** Without the goals, which are for contributors. @param {string} section */
const tableOf = (section) =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => `${line.split(' | ').slice(0, 4).join(' | ')} |`)
    .map((line) => line.replace('| claim | ours | peer |', '| measured | Servicekit | other |'))
    // A number and its unit stay in one line.
    .map((line) => line.replaceAll(/(\d) (?=[A-Za-z])/g, '$1&nbsp;'))
