import { ServicekitError } from '@servicekit/client'
import { resolveCommand } from 'package-manager-detector'
import manifest from '../../package.json' with { type: 'json' }
import type { Io } from '../io.ts'
import { runCommand } from '../run-command.ts'
import { namesIn, type ProjectFacts } from './project-facts.ts'

/**
 * Installs packages as development dependencies, together with the application's own if
 * they were never installed.
 *
 * @throws ServicekitError PACKAGE_MISSING if the package manager fails.
 */
export async function installMissing(
  { root, agent }: ProjectFacts,
  packages: readonly string[],
  io: Io,
): Promise<void> {
  const isInstalled = namesIn(root).some((name) => name === 'node_modules' || name === '.pnp.cjs')
  if (packages.length === 0 && isInstalled) return
  const names = packages.map((name) => `${name}@${manifest.version}`)
  const { command, args } =
    names.length === 0
      ? resolveCommand(agent, 'install', [])!
      : resolveCommand(agent, 'add', ['-D', ...names])!
  const line = [command, ...args].join(' ')
  io.stdout(`\n${line}\n`)
  const { exitCode } = await runCommand(command, args, { cwd: root, io })
  if (exitCode === 0) return
  throw new ServicekitError(`"${line}" failed with exit code ${exitCode}`, {
    code: 'PACKAGE_MISSING',
    help: 'Correct the error printed above, and run servicekit init again.',
  })
}
