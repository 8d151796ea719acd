import { escapeInvisible, escapeOutput } from '@servicekit/core'
import type { Io, Prompts } from './io.ts'

/**
 * Returns the output of the process for commands: everything that they print passes through one
 * function, so that no name, address or message of a service reaches the terminal with control or
 * bidirectional characters. Only `draw` writes terminal sequences. A question is one line.
 */
export function createSafeIo(io: Io): Io {
  const { confirm, prompts } = io
  return {
    ...io,
    stdout: (text) => io.stdout(escapeOutput(text)),
    stderr: (text) => io.stderr(escapeOutput(text)),
    draw: io.stderr,
    ...(confirm && { confirm: (question: string) => confirm(escapeInvisible(question)) }),
    ...(prompts && { prompts: createSafePrompts(prompts) }),
  }
}

const createSafePrompts = (prompts: Prompts): Prompts => ({
  select: (question, options) =>
    prompts.select(
      escapeInvisible(question),
      options.map(({ value, label }) => ({ value, label: escapeInvisible(label) })),
    ),
  text: (question, placeholder) =>
    prompts.text(
      escapeInvisible(question),
      placeholder === undefined ? undefined : escapeInvisible(placeholder),
    ),
  confirm: (question) => prompts.confirm(escapeInvisible(question)),
})
