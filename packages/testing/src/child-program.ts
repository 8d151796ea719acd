import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const loader = new URL('./ts-loader.mjs', import.meta.url).href
const folder = fileURLToPath(new URL('../../catalog/test/', import.meta.url))

/** All test files and runs share it: the name of a file is the hash of its source. */
const cache = fileURLToPath(new URL('../node_modules/.cache/stripped', import.meta.url))
mkdirSync(cache, { recursive: true })

/** Arguments and variables of Node with which a program may import source files. */
export const sourceArguments: readonly string[] = ['-C', 'source', '--import', loader]
export const sourceEnvironment = { TS_LOADER_CACHE: cache } as const

/**
 * Runs code in a separate process, resolved from `packages/catalog/test`. It may import source files.
 */
export function runChild(code: string, args: readonly string[] = []): ChildProcess {
  const child = spawn(
    process.execPath,
    [...sourceArguments, '--input-type=module', '-e', code, ...args],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...sourceEnvironment },
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Returns the output and exit code of a process. */
export async function endOf(
  child: ChildProcess,
): Promise<{ code: number | null; output: string; errors: string }> {
  let output = ''
  let errors = ''
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => {
    child.on('close', resolve)
  })
  return { code, output, errors }
}
