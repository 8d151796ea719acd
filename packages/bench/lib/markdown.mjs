import { spread } from './report.mjs'

/**
 * Results of one bench.
 *
 * @typedef {object} Found
 * @property {string} name
 * @property {string} title
 * @property {readonly import('./report.mjs').Judged[]} judged
 */

/**
 * Formats the results of a run as a page of Markdown, with a table for each bench.
 *
 * @param {readonly Found[]} found
 * @param {{ date: string, node: string, processor: string, processors: number, rounds: number }} run
 * @returns {string}
 */
export function markdownOf(found, { date, node, processor, processors, rounds }) {
  const head = [
    '# Results',
    `Of ${date}, on Node ${node} and ${processors} processors (${processor}): the median of ${rounds} rounds, with the smallest and the largest. [What is measured, and how to read it](README.md). Written by \`npm run bench -- --markdown packages/bench/RESULTS.md\`.`,
  ]
  return `${[...head, ...found.map(section)].join('\n\n')}\n`
}

/** @param {Found} found */
function section({ name, title, judged }) {
  const rows = judged.map(({ verdict, ours, peer }) =>
    [
      `\`${verdict.claim}\``,
      spread(ours, verdict.unit),
      `${verdict.peerName}: ${spread(peer, verdict.unit)}`,
      verdict.ratio ?? '',
      verdict.goal,
      verdict.ok ? '✓' : '✗',
    ].map((cell) => String(cell).replaceAll('|', '\\|')),
  )
  const lines = [
    ['claim', 'ours', 'peer', 'ratio', 'goal', ''],
    ['---', '---', '---', '---', '---', '---'],
    ...rows,
  ]
  return `## \`${name}\`: ${title}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`
}
