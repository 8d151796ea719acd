import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Returns why programs of Debian are not available, or undefined if they are. With CI=true, as root
 * on Debian, they are installed.
 *
 * @param isThere Checks for the programs.
 */
export async function missingPackages(
  packages: readonly string[],
  isThere: () => boolean,
): Promise<string | undefined> {
  if (isThere()) return undefined
  const how = `install the packages ${packages.join(' ')} of Debian`
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (process.env['CI'] !== 'true' || !canInstall) return how
  // The services of packages are not started: each test starts its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  // Several test files may install at once: one waits for the other.
  const wait = ['-qq', '-o', 'DPkg::Lock::Timeout=180']
  const install = () =>
    run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...packages], { env })
  await run('apt-get', [...wait, 'update'], { env }).catch(() => {})
  // The first download may meet a mirror that is being updated.
  await install()
    .catch(install)
    .catch(() => {})
  return isThere() ? undefined : how
}

/**
 * Like {@link missingPackages}, for what every Debian has: with CI=true, a missing part is an error.
 *
 * @throws Error with CI=true
 */
export async function requiredPackages(
  packages: readonly string[],
  isThere: () => boolean,
): Promise<string | undefined> {
  const fault = await missingPackages(packages, isThere)
  if (fault !== undefined && process.env['CI'] === 'true') throw new Error(fault)
  return fault
}

/** Like {@link missingPackages}, for one package with one program. */
export const missingPackage = (name: string, program: string): Promise<string | undefined> =>
  missingPackages([name], () => existsSync(program))
