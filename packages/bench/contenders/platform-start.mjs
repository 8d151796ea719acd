/** Starts the built platform in a program of its own: `node platform-start.mjs OPTIONS`. */
import { startPlatform } from '@servicekit/platform/node'

await startPlatform(JSON.parse(process.argv[2] ?? '{}'))
