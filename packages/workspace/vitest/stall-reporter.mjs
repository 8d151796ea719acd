import { childProcesses } from './child-processes.mjs'

/** @import { Reporter, TestCase, TestModule } from 'vitest/node' */

/** Longer than any test may take. */
const limitMs = (process.env['SERVICEKIT_DEEP'] ? 40 : 15) * 60_000

/**
 * Ends test processes that block. The timeout of a test is a timer of its own process, which
 * never fires in an endless loop or while `spawnSync` waits; vitest would wait without end.
 * Prints what was running first, then ends the processes; vitest goes on with the other files.
 *
 * @implements {Reporter}
 */
export default class StallReporter {
  /** @type {Map<string, { name: string, since: number }>} */
  #running = new Map()
  #lastEvent = performance.now()
  #limitMs
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /** @param {{ limitMs?: number }} [options] */
  constructor(options = {}) {
    this.#limitMs = options.limitMs ?? limitMs
  }

  onTestRunStart() {
    this.#lastEvent = performance.now()
    this.#timer = setInterval(() => this.#check(), this.#limitMs / 10)
  }

  onTestRunEnd() {
    clearInterval(this.#timer)
  }

  /** @param {TestModule} module */
  onTestModuleStart(module) {
    this.#start(module.id, module.moduleId)
  }

  /** @param {TestModule} module */
  onTestModuleEnd(module) {
    this.#end(module.id)
  }

  /** @param {TestCase} test */
  onTestCaseReady(test) {
    this.#start(test.id, `${test.module.moduleId} > ${test.fullName}`)
  }

  /** @param {TestCase} test */
  onTestCaseResult(test) {
    this.#end(test.id)
  }

  /** @param {string} id @param {string} name */
  #start(id, name) {
    this.#lastEvent = performance.now()
    this.#running.set(id, { name, since: this.#lastEvent })
  }

  /** @param {string} id */
  #end(id) {
    this.#lastEvent = performance.now()
    this.#running.delete(id)
  }

  #check() {
    const now = performance.now()
    if (now - this.#lastEvent < this.#limitMs) return
    this.#lastEvent = now
    const lines = [`✗ no test has started or ended for ${this.#limitMs / 1000} s; running are:`]
    for (const { name, since } of this.#running.values())
      lines.push(`    ${name} (${Math.round((now - since) / 1000)} s)`)
    const processes = childProcesses(process.pid)
    lines.push('  and the processes:')
    for (const { pid, parent, state, command } of processes)
      lines.push(`    ${pid} (of ${parent}, ${state}) ${command.slice(-200)}`)
    console.error(lines.join('\n'))
    for (const worker of processes) {
      if (worker.parent !== process.pid || !worker.command.includes('/workers/forks.js')) continue
      for (const { pid } of [worker, ...childProcesses(worker.pid)]) kill(pid)
    }
  }
}

/** @param {number} pid of a process, which may have ended */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}
