/**
 * Provides what tests need but npm does not install: a browser. With CI=true on Debian as
 * root it is installed; elsewhere the output says how to install it.
 *
 *     node packages/testing/src/find-browser.mjs
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { isMain } from '../../workspace/lib/root.mjs'
import { run, runMain } from '../../workspace/lib/run.mjs'

/**
 * @typedef {object} Machine inputs of the search for a browser
 * @property {NodeJS.Platform} platform
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} home
 * @property {(path: string) => boolean} isProgram
 */

/** @type {Machine} */
const thisMachine = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  isProgram: (path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  },
}

const linuxNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
]
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const windowsPrograms = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
]

/**
 * Returns the path of an installed Chromium, Chrome or Edge; undefined if there is none. If
 * `CHROME_PATH` is set, no other path is searched.
 *
 * @param {Machine} [machine]
 * @returns {string | undefined}
 * @throws {Error} when `CHROME_PATH` is not a program
 */
export function findBrowser(machine = thisMachine) {
  const chosen = machine.env['CHROME_PATH']
  if (!chosen) return browserPaths(machine).find(machine.isProgram)
  if (!machine.isProgram(chosen)) throw new Error(`CHROME_PATH names no program: ${chosen}`)
  return chosen
}

/** @param {Machine} machine @returns {string[]} in order of preference */
function browserPaths({ platform, env, home }) {
  if (platform === 'darwin') {
    return macApps.flatMap((name) =>
      ['/Applications', join(home, 'Applications')].map((folder) =>
        join(folder, `${name}.app`, 'Contents', 'MacOS', name),
      ),
    )
  }
  if (platform === 'win32') {
    const folders = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']]
    return windowsPrograms.flatMap((parts) =>
      folders.flatMap((folder) => (folder ? [join(folder, ...parts)] : [])),
    )
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return linuxNames.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/**
 * Use with `describe.skipIf(isBrowserMissing())`. With CI=true a missing browser is an
 * error, so that a run never passes without testing in it.
 *
 * @param {Machine} [machine]
 * @returns {boolean}
 * @throws {Error} with CI=true, when there is no browser
 */
export function isBrowserMissing(machine = thisMachine) {
  const missing = findBrowser(machine) === undefined
  if (missing && machine.env['CI'] === 'true') throw new Error('no browser on this machine')
  return missing
}

/** Returns whether apt-get can install packages as this user. */
const isDebianRoot = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/**
 * Finds a browser; with CI=true, installs one if it is missing.
 *
 * @returns {Promise<{ found: string | undefined, output: string }>} the browser, and the output of apt-get
 */
export async function ensureBrowser() {
  const found = findBrowser()
  if (found) return { found, output: '' }
  if (process.env['CI'] !== 'true' || !isDebianRoot())
    return { found: undefined, output: howToGet() }
  const install = ['-qq', 'install', '-y', '--no-install-recommends', 'chromium']
  const updated = await aptGet(['-qq', 'update'])
  let { code, output } = await aptGet(install)
  if (code !== 0) ({ code, output } = await aptGet(install))
  return { found: findBrowser(), output: code === 0 ? '' : updated.output + output }
}

/** @param {readonly string[]} args */
function aptGet(args) {
  return run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
}

function howToGet() {
  const ways = {
    linux: "the distribution's chromium package",
    darwin: 'brew install --cask chromium, or Chrome or Edge',
    win32: 'Edge, which comes with Windows, or Chrome',
  }
  const way = ways[/** @type {keyof typeof ways} */ (process.platform)] ?? 'Chromium'
  return `No browser found. Install ${way}; or set CHROME_PATH to one.\n`
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    const { found, output } = await ensureBrowser()
    console.log(found ? `browser: ${found}` : output.trimEnd())
    return found ? 0 : 1
  })
}
