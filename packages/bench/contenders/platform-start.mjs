/** Starts the built platform as a program does: `node platform-start.mjs OPTIONS`. */
import { startPlatform } from '@servicekit/platform/node'

await startPlatform(JSON.parse(process.argv[2] ?? '{}'))
