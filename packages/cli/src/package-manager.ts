import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Agent, detect, getUserAgent } from 'package-manager-detector'

/**
 * Returns the package manager of an application: that of its lockfile or package.json,
 * otherwise the one that started this process, otherwise npm.
 */
export async function detectPackageManager(root: string): Promise<Agent> {
  const isBun = hasUpwards(root, 'bunfig.toml') || isStartedByBun()
  const configured = isBun ? 'bun' : undefined
  const agent = (await detect({ cwd: root }))?.agent ?? configured ?? getUserAgent() ?? 'npm'
  // A lockfile and the environment do not distinguish Yarn 1 from later versions.
  const isModern = agent === 'yarn' && (isStartedByModernYarn() || hasUpwards(root, '.yarnrc.yml'))
  return isModern ? 'yarn@berry' : agent
}

const isStartedByModernYarn = (): boolean =>
  /^yarn\/(?:[2-9]|\d\d)/.test(process.env['npm_config_user_agent'] ?? '')

/** In a script of npm, Bun keeps the user agent of npm, but it names its program. */
const isStartedByBun = (): boolean =>
  /(?:^|[\\/])bunx?(?:\.exe)?$/.test(process.env['npm_execpath'] ?? '')

function hasUpwards(folder: string, name: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return true
    if (dirname(at) === at) return false
  }
}
