import { ServicekitError } from '@servicekit/client'
import type { Io } from '../io.ts'
import { localCommand, runCommand } from '../run-command.ts'
import { type FileEdit, undoEdits, writeEdits } from './edits.ts'
import type { ProjectFacts } from './project-facts.ts'

/** The edits that were made, and commands in the folder of the application. */
export class InitRun {
  readonly #edits: FileEdit[] = []
  readonly facts: ProjectFacts
  readonly io: Io

  constructor(facts: ProjectFacts, io: Io) {
    this.facts = facts
    this.io = io
  }

  async write(edits: readonly FileEdit[]): Promise<void> {
    await writeEdits(this.facts.root, edits, this.facts.gitRoot)
    this.#edits.push(...edits)
  }

  async undo(): Promise<void> {
    if (this.#edits.length === 0) return
    await undoEdits(this.facts.root, this.#edits)
    this.io.stderr('The changes to your files were undone.\n')
  }

  /** Runs a command of the installed servicekit. */
  async servicekit(...args: readonly string[]): Promise<void> {
    const { facts, io } = this
    const line = ['servicekit', ...args]
    const { command, args: resolved } = localCommand(facts, line)
    io.stdout(`\n${line.join(' ')}\n`)
    const { exitCode } = await runCommand(command, resolved, { cwd: facts.root, io })
    if (exitCode === 0) return
    throw new ServicekitError(`"${line.join(' ')}" failed with exit code ${exitCode}`, {
      code: 'REQUEST_FAILED',
      help: 'Correct the error printed above, and run servicekit init again.',
    })
  }
}
