/** The process that {@link import('./child.mjs').runContender} starts. */
const [, , url = ''] = process.argv

process.once('message', async (input) => {
  const { prepare } = await import(url)
  const work = await prepare(input)
  const start = performance.now()
  const result = await work()
  const seconds = (performance.now() - start) / 1000
  // On all systems in KiB, whatever getrusage says there.
  const peakMb = process.resourceUsage().maxRSS / 1024
  process.send?.({ seconds, peakMb, result }, () => process.exit(0))
})
