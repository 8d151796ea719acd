/**
 * The process that `runContender` starts. A contender's `prepare` answers the work
 * to be measured, alone or with what to look at when it is done.
 */
const [, , url = ''] = process.argv

process.once('message', async (input) => {
  const { prepare } = await import(url)
  const prepared = await prepare(input)
  const { work, after } = typeof prepared === 'function' ? { work: prepared } : prepared
  const start = performance.now()
  const result = await work()
  const seconds = (performance.now() - start) / 1000
  // In KiB on every system.
  const peakMb = process.resourceUsage().maxRSS / 1024
  const rest = after ? await after() : {}
  process.send?.({ seconds, peakMb, result: { ...result, ...rest } }, () => process.exit(0))
})
