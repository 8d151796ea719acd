import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a module in a separate Node process and returns its `result`, passed as JSON. */
export async function runNode<T>(cwd: string, code: string): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `${code}\nconsole.log(JSON.stringify(await result))`],
    { cwd },
  )
  return JSON.parse(stdout) as T
}
