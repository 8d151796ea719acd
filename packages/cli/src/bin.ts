import { main } from './main.ts'

const controller = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    controller.abort()
    // Asked twice in the same way, it ends at once. A terminal's Ctrl-C and a
    // parent that passes it on are one request.
    process.once(name, () => process.exit(1))
  })
}

process.exitCode = await main(process.argv.slice(2), {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true && process.env['CI'] === undefined,
  signal: controller.signal,
})
