/**
 * The process that `runContender` starts. A contender's `prepare` answers the work
 * to be measured, alone or with what to look at when it is done.
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
 * Most memory that this process held. On Linux getrusage would answer that of the
 * process that started this one, where that is more; the kernel's own count begins
 * with the program.
 */
function peakKb() {
  const status = '/proc/self/status'
  const match = existsSync(status) && /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))
  return match ? Number(match[1]) : process.resourceUsage().maxRSS
}
