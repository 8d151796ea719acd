import { confirm, isCancel, select, text } from '@clack/prompts'
import type { Prompts } from './io.ts'

/** Creates prompts on the terminal. Ctrl-C calls `onCancel`, which stops the command. */
export function createPrompts(onCancel: () => void): Prompts {
  const valueOf = <T>(answer: T): Exclude<T, symbol> => {
    if (!isCancel(answer)) return answer as Exclude<T, symbol>
    onCancel()
    throw new Error('Stopped')
  }
  // Results are written to standard output, so that questions do not end up in a pipe.
  const output = process.stderr
  return {
    select: async (message, options) =>
      valueOf(await select({ message, options: [...options], output })),
    text: async (message, placeholder) =>
      valueOf(
        await text({
          message,
          output,
          ...(placeholder === undefined ? {} : { placeholder }),
          validate: (value) => (value ? undefined : 'A value is required'),
        }),
      ),
    confirm: async (message) => valueOf(await confirm({ message, output })),
  }
}
