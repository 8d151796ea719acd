/**
 * Entry of the process that `runContender` starts. A contender's `prepare` returns the work
 * to measure, alone or with a function that inspects the result afterwards.
 */
import { existsSync, readFileSync } from 'node:fs'

const [, , url = ''] = process.argv

process.once('message', async (input) => {
  const { prepare } = await import(url)
  const prepared = await prepare(input)
  const { work, after } = typeof prepared === 'function' ? { work: prepared } : prepared
  const start = performance.now()
  const result = await work()
  const seconds = (performance.now() - start) / 1000
  const peakMb = peakKb() / 1024
  const rest = after ? await after() : {}
  process.send?.({ seconds, peakMb, result: { ...result, ...rest } }, () => process.exit(0))
})

/**
 * Returns the peak memory of this process. On Linux getrusage would report the peak of the
 * parent process if that is higher; the kernel's own counter starts with the program.
 */
function peakKb() {
  const status = '/proc/self/status'
  const match = existsSync(status) && /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))
  return match ? Number(match[1]) : process.resourceUsage().maxRSS
}
