import { main } from '../src/main.ts'

/** Output and exit code of a command. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in this process, without a terminal, as a script would. */
export async function run(
  args: readonly string[],
  signal = new AbortController().signal,
  confirm?: (question: string) => Promise<boolean>,
): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  // The time that a command takes must not change its output.
  const code = await main(args, {
    stdout: (text) => (stdout += text),
    stderr: (text) => (stderr += text),
    isTerminal: false,
    progressIntervalMs: Infinity,
    ...(confirm && { confirm }),
    signal,
  })
  return { code, stdout, stderr }
}
