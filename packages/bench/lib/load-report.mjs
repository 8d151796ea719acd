/** @typedef {import('../load.mjs').Window} Window */
/** @typedef {Pick<Window, 'medianMs' | 'p99Ms'>} Latency */
/** @typedef {{ readonly name: string, readonly figure: string, readonly isMet: boolean }} Goal */

const maxSlope = 1
const maxSpread = 5
const maxRecoverySeconds = 5
/** A window in which other processes or the host took more than this is only judged for failures. */
const maxOthersPercent = 5
/** The same for a window in which the processors were slower than during the saturation. */
const maxWorkPercent = 105

/**
 * Compares a run with its goals.
 *
 * @param {readonly Window[]} windows
 * @param {readonly number[]} steadyMs the times of all requests of the steady phase, which are reported but not judged
 * @param {readonly Latency[]} bareWindows windows of a bare handler, which show what the machine allows
 * @returns {readonly Goal[]}
 */
export function judge(windows, steadyMs, bareWindows) {
  const of = (/** @type {Window['phase']} */ phase) =>
    windows.filter((window) => window.phase === phase)
  const overload = of('overload')
  const steady = of('steady').filter(isUndisturbed)
  const disturbed = of('steady').filter((window) => !isUndisturbed(window))
  const recovery = of('recovery').filter(isUndisturbed)
  const errors = sum(steady, ({ failed, refused }) => failed + refused)
  const requests = sum(steady, ({ accepted }) => accepted) + errors
  const { median, p99, spread } = latencyOf(steady)
  const bare = latencyOf(bareWindows)
  const overallP99 = steadyMs.toSorted((a, b) => a - b)[Math.floor(steadyMs.length * 0.99)] ?? 0
  // The heap grows to its working size first.
  const settled = steady.slice(Math.floor(steady.length / 3))
  const { slope, error } = memorySlope(settled)
  const whole = memorySlope(of('steady'))
  const refused = sum(overload, (window) => window.refused)
  const accepted = sum(overload, (window) => window.accepted)
  const failed = sum(overload, (window) => window.failed)
  const failedDisturbed = sum(disturbed, (window) => window.failed)
  const end = overload.at(-1)
  const overloadEnd = end ? end.atSeconds + end.seconds : 0
  const slowest = Math.max(...steady.map(({ p99Ms }) => p99Ms))
  const lastSlow = recovery.findLastIndex(
    (window) => window.p99Ms > slowest || window.refused + window.failed > 0,
  )
  const slow = recovery[lastSlow]
  const recoverySeconds = slow ? slow.atSeconds + slow.seconds - overloadEnd : 0
  return [
    goal(
      `No error at 80 % of saturation`,
      `${errors} of ${count(requests)} requests in ${steady.length} windows`,
      errors === 0 && steady.length > disturbed.length,
    ),
    goal(
      `With less processor time, requests are refused and nothing fails otherwise`,
      `${disturbed.length} windows in which the processors were slower than while the saturation was measured, or others took more than ${maxOthersPercent} % of them: ${count(sum(disturbed, (window) => window.accepted))} accepted, ${count(sum(disturbed, (window) => window.refused))} refused, ${failedDisturbed} failed`,
      failedDisturbed === 0,
    ),
    goal(
      `p99 within ${maxSpread} times the median, or within the multiple of a bare handler`,
      `${p99.toFixed(1)} ms, median ${median.toFixed(1)} ms: ${spread.toFixed(1)} times (middle of all windows); ${overallP99.toFixed(1)} ms over all requests; bare handler ${bare.p99.toFixed(1)} ms, median ${bare.median.toFixed(1)} ms: ${bare.spread.toFixed(1)} times`,
      spread <= Math.max(maxSpread, bare.spread),
    ),
    goal(
      `Memory grows by less than ${maxSlope} MB in ten minutes`,
      `${slope.toFixed(2)} MB ± ${error.toFixed(2)} (95 %), without the first third of the run; ${whole.slope.toFixed(2)} MB ± ${whole.error.toFixed(2)} over all windows`,
      slope < maxSlope,
    ),
    goal(
      'Three times saturation is refused with 429 or 503, and nothing fails otherwise',
      `${count(accepted)} accepted, ${count(refused)} refused, ${failed} failed`,
      refused > 0 && failed === 0,
    ),
    goal(
      `As fast as before within ${maxRecoverySeconds} s of the overload`,
      `${recoverySeconds.toFixed(1)} s`,
      lastSlow < recovery.length - 1 && recoverySeconds <= maxRecoverySeconds,
    ),
  ]
}

/** @param {readonly Window[]} windows */
const memorySlope = (windows) =>
  regression(windows.map(({ atSeconds, residentMb }) => [atSeconds / 600, residentMb]))

/** @param {readonly Latency[]} windows */
function latencyOf(windows) {
  const median = middle(windows.map(({ medianMs }) => medianMs))
  const p99 = middle(windows.map(({ p99Ms }) => p99Ms))
  return { median, p99, spread: p99 / median }
}

/** @param {Window} window */
const isUndisturbed = ({ othersPercent, workPercent }) =>
  othersPercent <= maxOthersPercent && workPercent <= maxWorkPercent

/** @param {readonly Window[]} windows @param {(window: Window) => number} value */
const sum = (windows, value) => windows.reduce((total, window) => total + value(window), 0)

/** @param {string} name @param {string} figure @param {boolean} isMet @returns {Goal} */
const goal = (name, figure, isMet) => ({ name, figure, isMet })

/** @param {readonly number[]} values */
const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** @param {number} value */
const count = (value) => value.toLocaleString('en')

/**
 * Returns the slope of the least squares line, and half the width of its 95 % interval.
 *
 * @param {readonly (readonly [x: number, y: number])[]} points
 */
function regression(points) {
  const n = points.length
  const mean = (/** @type {0 | 1} */ axis) => points.reduce((sum, one) => sum + one[axis], 0) / n
  const [meanX, meanY] = [mean(0), mean(1)]
  const squares = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / squares
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  return { slope, error: 1.96 * Math.sqrt(rest / Math.max(1, n - 2) / squares) }
}

/**
 * @param {{ date: string, node: string, processor: string, processors: number, minutes: number, saturation: number }} run
 * @param {readonly Goal[]} goals
 */
export const formatLoadPage = (run, goals) => `---
order: 8
---

# Under load

An instance on PostgreSQL for ${run.minutes} minutes at 80 % of its saturation, then for a minute at three times its saturation, and at 80 % again. Requests arrive at a fixed rate, whether or not the server keeps up: half of them read the signed-in user, 30 % list records and 20 % update one. Times begin when a request is due. Generator, server and PostgreSQL share the machine. A window lasts ten seconds. Before every tenth, a bare handler that runs the same statements on the same data layer receives 80 % of its own saturation.

Measured on ${run.date} with Node ${run.node} on ${run.processors} processors (${run.processor}), where one instance completes ${Math.round(run.saturation)} requests per second in the slowest of twelve rounds. Written by \`node packages/bench/load.mjs --write\`.

| goal | measured | |
| --- | --- | --- |
${goals.map(({ name, figure, isMet }) => `| ${name} | ${figure} | ${isMet ? '✓' : 'missed'} |`).join('\n')}

![Time of accepted requests over the run](load-latency.svg)

![Resident memory of the server over the run](load-memory.svg)

![Requests per second: due, accepted and refused](load-requests.svg)

![Processor time of a fixed piece of work, relative to its time while the saturation was measured](load-processors.svg)
`
