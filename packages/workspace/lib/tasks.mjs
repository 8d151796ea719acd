/**
 * @typedef {object} Outcome
 * @property {'passed' | 'failed' | 'skipped'} status
 * @property {string} [note] a few words beside the name
 * @property {string} [output] what the tool printed, shown when it failed
 *
 * @typedef {object} Task
 * @property {string} name
 * @property {(hasPassed: (name: string) => boolean) => Promise<Outcome>} run may ask about tasks that ended before
 * @property {readonly string[]} [after] names of tasks that must have passed
 * @property {readonly string[]} [afterEnd] names of tasks that must have ended, in whatever way
 * @property {boolean} [prepares] a step and not a test: counted only when it fails
 *
 * @typedef {Outcome & { name: string, ms: number, counted: boolean }} Result
 */

/** @param {string} [note] @returns {Outcome} */
export const passed = (note) => (note ? { status: 'passed', note } : { status: 'passed' })

/** @param {string} output @returns {Outcome} */
export const failed = (output) => ({ status: 'failed', output })

/** Passed where nothing was found. @param {readonly string[]} findings @returns {Outcome} */
export const findNone = (findings) =>
  findings.length === 0 ? passed() : failed(findings.join('\n'))

/** Passed where a tool ended well. @param {import('./run.mjs').RunResult} result @returns {Outcome} */
export const endedWell = (result) => (result.code === 0 ? passed() : failed(result.output))

/**
 * Runs tasks side by side, each after those it names. A task whose predecessor
 * did not pass is skipped; a thrown error is a failure with its stack.
 *
 * @param {readonly Task[]} tasks in the order in which they should start
 * @param {number} width how many at once
 * @param {(result: Result) => void} report called as each ends
 * @returns {Promise<Result[]>}
 * @throws {TypeError} when a task waits for one that is not there, or for itself
 */
export async function runTasks(tasks, width, report) {
  assertOrder(tasks)
  /** @type {Map<string, Result>} */
  const done = new Map()
  const waiting = [...tasks]
  let active = 0
  await new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    /** @param {Result} result */
    const settle = (result) => {
      done.set(result.name, result)
      report(result)
    }
    /** @param {Task} task */
    const start = async (task) => {
      active++
      const result = await time(task, (name) => done.get(name)?.status === 'passed')
      active--
      settle(result)
      advance()
    }
    /** @param {Task} task */
    const before = (task) => (task.after ?? []).map((name) => done.get(name))
    /** @param {Task} task */
    const blocker = (task) => before(task).find((result) => result && result.status !== 'passed')
    /** @param {Task} task */
    const isReady = (task) =>
      before(task).every(Boolean) && (task.afterEnd ?? []).every((name) => done.has(name))
    const next = () => waiting.find((task) => blocker(task) || (active < width && isReady(task)))
    const advance = () => {
      for (let task = next(); task; task = next()) {
        waiting.splice(waiting.indexOf(task), 1)
        const note = `because of ${blocker(task)?.name}`
        if (blocker(task))
          settle({ name: task.name, ms: 0, counted: true, status: 'skipped', note })
        else void start(task)
      }
      if (active === 0 && waiting.length === 0) resolve()
    }
    advance()
  })
  return [...done.values()]
}

/** @param {Task} task @param {(name: string) => boolean} hasPassed @returns {Promise<Result>} */
async function time(task, hasPassed) {
  const start = performance.now()
  const outcome = await task.run(hasPassed).catch((error) => failed(String(error?.stack ?? error)))
  const counted = !task.prepares || outcome.status !== 'passed'
  return { ...outcome, name: task.name, ms: performance.now() - start, counted }
}

/** @param {readonly Task[]} tasks */
function assertOrder(tasks) {
  const earlier = new Set()
  for (const task of tasks) {
    const missing = [...(task.after ?? []), ...(task.afterEnd ?? [])].find(
      (name) => !earlier.has(name),
    )
    if (missing)
      throw new TypeError(`task '${task.name}' waits for '${missing}', not listed before it`)
    earlier.add(task.name)
  }
}

/**
 * @param {readonly Result[]} results
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countResults(results) {
  /** @param {Outcome['status']} status */
  const count = (status) =>
    results.filter((result) => result.counted && result.status === status).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** Prints a result on one line, and below it what a failing tool printed. @param {Result} result */
export function printResult(result) {
  const mark = { passed: '✓', failed: '✗', skipped: '-' }[result.status]
  const note = result.note ? ` (${result.note})` : ''
  console.log(`${mark} ${result.name}${note} ${(result.ms / 1000).toFixed(1)} s`)
  if (result.output && result.status === 'failed') {
    console.log(result.output.trimEnd().replace(/^/gm, '  '))
  }
}
