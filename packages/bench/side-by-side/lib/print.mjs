import { mistakes, tasks } from './tasks.mjs'

/**
 * @typedef {object} Result
 * @property {import('./tools.mjs').Tool} tool
 * @property {string} version
 * @property {import('./measure.mjs').Figures} figures
 */

const marks = { compiler: '✓', 'own checker': '(✓)', no: '–' }

/**
 * Prints the figures of all tools as tables of Markdown.
 *
 * @param {readonly Result[]} results
 */
export function printTables(results) {
  const titles = results.map(({ tool, version }) => `${tool.title} ${version}`.trim())
  /** @param {(result: Result) => string | number} cell */
  const cells = (cell) => results.map((result) => String(cell(result)))
  const lines = [
    ...Object.entries(tasks).map(([name, task]) => [
      `\`${name}\`: ${task}`,
      ...cells(({ figures }) => figures.lines[name] ?? ''),
    ]),
    ['all ten', ...cells(({ figures }) => sum(figures.lines) - (figures.lines['client'] ?? 0))],
    ['`client`: address and credentials', ...cells(({ figures }) => figures.lines['client'] ?? '')],
  ]
  const caught = [
    ...Object.entries(mistakes).map(([name, mistake]) => [
      mistake,
      ...cells(({ figures }) => marks[figures.caught[name] ?? 'no']),
    ]),
    [
      'caught by the compiler',
      ...cells(
        ({ figures }) => Object.values(figures.caught).filter((one) => one === 'compiler').length,
      ),
    ],
  ]
  const bytes = /** @type {const} */ (['one', 'ten']).map((kind) => [
    kind === 'one' ? '`list` alone' : 'all ten tasks',
    ...cells(({ figures }) => figures.bytes?.[kind].toLocaleString('en-US') ?? 'on servers only'),
  ])
  return [
    table(['lines of code', ...titles], lines),
    table(['mistake', ...titles], caught),
    table(['bytes, minified and gzipped', ...titles], bytes),
  ].join('\n\n')
}

/** @param {Readonly<Record<string, number>>} numbers */
const sum = (numbers) => Object.values(numbers).reduce((total, one) => total + one, 0)

/** Prints a table as the formatter does. @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  /** @param {readonly string[]} row */
  const line = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
