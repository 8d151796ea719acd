/**
 * Measures what is claimed beside the peer it is claimed against.
 *
 *     node packages/bench/run.mjs [NAME…] [--json] [--rounds 5] [--markdown FILE]
 *
 * The exit code is 1 where a claim does not hold or could not be measured.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { benches } from './claims/index.mjs'
import { judge } from './lib/claim.mjs'
import { markdownOf } from './lib/markdown.mjs'
import { createProgress, printVerdict } from './lib/report.mjs'
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
      ? `There is no ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`
      : `--rounds must be a whole number of 1 or more, not "${options.rounds}".`,
  )
  process.exit(2)
}
// An interrupted run ends what it started and removes its folders, as any other does.
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])) {
  process.once(signal, () => process.exit(code))
}

const progress = createProgress(process.stderr)
let failures = 0
/** @type {import('./lib/markdown.mjs').Found[]} */
const found = []
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
    const all = bench.claims.map((claim) => judge(claim, samples))
    for (const judged of all) {
      if (!judged.verdict.ok) failures++
      console.log(options.json ? JSON.stringify(judged.verdict) : printVerdict(judged))
    }
    found.push({ name, title: bench.title, judged: all })
  } catch (error) {
    progress.clear()
    failures++
    console.error(`${name} could not be measured:`, error)
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
  writeFileSync(options.markdown, markdownOf(found, run))
}
// In so many words: the package that starts PostgreSQL ends with 0 whatever `exitCode` says.
process.exit(failures === 0 ? 0 : 1)
