import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** TypeScript 7, which takes a fraction of the time of the others. */
const tsc = fileURLToPath(new URL('../../../node_modules/typescript-7/bin/tsc', import.meta.url))

/**
 * Runs the type check of an application, by default tsc.
 *
 * @throws Error with its output.
 */
export async function checkTypes(
  root: string,
  command: readonly [file: string, ...args: string[]] = [
    process.execPath,
    tsc,
    '--pretty',
    'false',
  ],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const [file, ...args] = command
  const check = promisify(execFile)(file, args, { cwd: root, env, maxBuffer: 1e8 })
  // Tools that ask to install a missing package fail instead of waiting for an answer.
  check.child.stdin?.end()
  await check.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${command.join(' ')}\n${stdout}${stderr}`)
  })
}
