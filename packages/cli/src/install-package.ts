import { ServicekitError } from '@servicekit/client'
import { resolveCommand } from 'package-manager-detector'
import type { Io } from './io.ts'
import { detectPackageManager } from './package-manager.ts'
import { runCommand } from './run-command.ts'

interface InstallOptions {
  /** Folder of the application. */
  readonly root: string
  /** Installs without asking. */
  readonly yes: boolean
  readonly io: Io
}

/**
 * Installs the packages that an error names with the package manager of the application, if
 * the user agrees.
 *
 * @throws ServicekitError PACKAGE_MISSING with the command to run, without a terminal, if
 * the user declines, and if the installation fails.
 */
export async function installPackage(
  error: ServicekitError,
  { root, yes, io }: InstallOptions,
): Promise<void> {
  const name = String(error.details['package'])
  const agent = await detectPackageManager(root)
  // Several packages are separated by spaces.
  const { command, args } = resolveCommand(agent, 'add', ['-D', ...name.split(' ')])!
  const line = [command, ...args].join(' ')
  const summary = error.message.split('\n', 1)[0]!
  const accepted = yes || (await io.confirm?.(`${summary}. Run "${line}"?`))
  if (!accepted) {
    throw new ServicekitError(summary, {
      code: 'PACKAGE_MISSING',
      details: error.details,
      help: `Run "${line}", or add --yes to run it automatically.`,
      cause: error,
    })
  }
  io.stderr(`Running "${line}"\n`)
  const { exitCode } = await runCommand(command, args, { cwd: root, io })
  if (exitCode === 0) return
  throw new ServicekitError(`"${line}" failed with exit code ${exitCode}`, {
    code: 'PACKAGE_MISSING',
    details: error.details,
    help: 'Correct the error printed above, or install the package yourself.',
  })
}
