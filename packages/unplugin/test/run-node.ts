import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a module in a Node of its own, and answers what it exports as `result`, by JSON. */
export async function runNode<T>(cwd: string, code: string): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `${code}\nconsole.log(JSON.stringify(await result))`],
    { cwd },
  )
  return JSON.parse(stdout) as T
}
