import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const source = `import { CART_HEADING } from '~uilm/cart'
export const title = () => CART_HEADING()
`

/** Application in a Git repository with a remote, as a runner checks it out. */
export interface SampleProject {
  readonly workspace: string
  readonly remote: string
  readonly git: (...args: string[]) => string
}

/**
 * Creates an application whose `servicekit` is the built one.
 *
 * @param built Folder with `bin.js`.
 */
export async function createSampleProject(temp: string, built: string): Promise<SampleProject> {
  const folder = await mkdtemp(join(temp, 'project-'))
  const workspace = join(folder, 'workspace')
  const remote = join(folder, 'remote.git')
  const bin = join(workspace, 'node_modules/.bin')
  await mkdir(bin, { recursive: true })
  await mkdir(join(workspace, 'src'))
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(built, 'bin.js')}' "$@"\n`
  await writeFile(join(bin, 'servicekit'), program)
  await chmod(join(bin, 'servicekit'), 0o755)
  await writeFile(join(workspace, 'package.json'), '{ "private": true, "type": "module" }\n')
  await writeFile(join(workspace, '.gitignore'), 'node_modules\n.servicekit\n')
  await writeFile(join(workspace, 'src/cart.ts'), source)
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      cwd: workspace,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  git('init', '--quiet', '--initial-branch', 'main')
  git('init', '--quiet', '--bare', remote)
  git('--git-dir', remote, 'config', 'receive.advertisePushOptions', 'true')
  git('remote', 'add', 'origin', remote)
  return { workspace, remote, git }
}

/** Commits everything and pushes it. */
export function commitAll({ git }: SampleProject, message: string): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', message)
  git('push', '--quiet', 'origin', 'main')
}

/**
 * Writes a program `gh` that records its arguments, and returns the folder for PATH and the
 * record. `pr list` prints the number of open pull requests.
 */
export async function createGh(
  temp: string,
): Promise<{ readonly path: string; readonly log: string }> {
  const path = await mkdtemp(join(temp, 'gh-'))
  const log = join(path, 'log')
  const script = `#!/bin/sh
echo "$@" >> '${log}'
if [ "$1 $2" = 'pr list' ]; then grep -c '^pr create' '${log}' || true; fi
`
  await writeFile(join(path, 'gh'), script)
  await chmod(join(path, 'gh'), 0o755)
  return { path, log }
}
