/** Run by Node, Bun and Deno: settings are an argument, the result is a line of output. */
import process from 'node:process'
import { serverMeans } from './on-server.ts'
import { runSuite } from './suite.ts'
import type { Settings } from './world.ts'

const settings = JSON.parse(process.argv[2] ?? '') as Settings
const result = await runSuite(settings, serverMeans)
await new Promise((written) => {
  process.stdout.write(`${JSON.stringify(result)}\n`, written)
})
