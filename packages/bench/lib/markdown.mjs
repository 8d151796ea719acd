import { formatRange } from './report.mjs'

/**
 * Results of one bench.
 *
 * @typedef {object} BenchResult
 * @property {string} name
 * @property {string} title
 * @property {readonly import('./report.mjs').Evaluation[]} evaluations
 */

/**
 * Formats the results of a run as a page of Markdown, with a table for each bench.
 *
 * @param {readonly BenchResult[]} benches
 * @param {{ date: string, node: string, processor: string, processors: number, rounds: number }} run
 * @returns {string}
 */
export function formatMarkdown(benches, { date, node, processor, processors, rounds }) {
  const head = [
    '# Results',
    `Measured on ${date} with Node ${node} on ${processors} processors (${processor}): the median of ${rounds} rounds, with the minimum and maximum. [README.md](README.md) describes what is measured. Written by \`npm run bench -- --markdown packages/bench/RESULTS.md\`.`,
  ]
  return `${[...head, ...benches.map(section)].join('\n\n')}\n`
}

/** @param {BenchResult} bench */
function section({ name, title, evaluations }) {
  const rows = evaluations.map(({ result, ours, peer }) =>
    [
      `\`${result.claim}\``,
      formatRange(ours, result.unit),
      `${result.peerName}: ${formatRange(peer, result.unit)}`,
      result.ratio ?? '',
      result.goal,
      result.ok ? '✓' : '✗',
    ].map((cell) => String(cell).replaceAll('|', '\\|')),
  )
  const lines = [
    ['claim', 'ours', 'peer', 'ratio', 'goal', ''],
    ['---', '---', '---', '---', '---', '---'],
    ...rows,
  ]
  return `## \`${name}\`: ${title}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`
}
