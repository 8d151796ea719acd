import { main } from './main.ts'

const controller = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // Asked twice, it ends at once.
    if (controller.signal.aborted) process.exit(1)
    controller.abort()
  })
}

process.exitCode = await main(process.argv.slice(2), {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true && process.env['CI'] === undefined,
  signal: controller.signal,
})
