import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { npmEnvironment, run, runInTerminal } from '@servicekit/testing/scaffold-environment'
import { manualEdits } from './manual-edits.mjs'

/**
 * @typedef {object} Machine
 * @property {string} registry with our packages
 * @property {string} cache of npm
 * @property {string} cdn folder with the plugins of Paraglide
 * @property {{ baseUrl: string, projectKey: string }} service
 *
 * @typedef {object} Result
 * @property {number} seconds
 * @property {number} commands
 * @property {number} files edited by hand
 */

/** Copies a created scaffold, with its installed packages. @param {string} from @param {string} to */
export const copyScaffold = (from, to) =>
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })

/** Returns a function that runs the commands of a user in a project. @param {string} cwd @param {Machine} machine @param {boolean} offline */
function commandsIn(cwd, { registry, cache }, offline) {
  const env = {
    ...npmEnvironment({ registry, cache }),
    ...(offline ? { npm_config_offline: 'true' } : {}),
    NEXT_TELEMETRY_DISABLED: '1',
    CI: undefined,
    // Builds of other benches set it in this process; npm then omits devDependencies.
    NODE_ENV: undefined,
  }
  /** @param {string} line */
  const execute = async (line) => {
    const [command = '', ...args] = line.split(' ')
    const { code, output } = await run(command, args, { cwd, env })
    if (code !== 0) throw new Error(`"${line}" failed with exit code ${code}\n${output}`)
    return output
  }
  return { env, execute }
}

/** @param {string} cwd @param {Readonly<Record<string, string | ((text: string) => string)>>} edits */
function editByHand(cwd, edits) {
  for (const [name, edit] of Object.entries(edits)) {
    const file = join(cwd, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof edit === 'string' ? edit : edit(readFileSync(file, 'utf8')))
  }
  return Object.keys(edits).length
}

/**
 * The set-ups: commands and edits until the type check passes.
 *
 * @type {Readonly<Record<'servicekit' | 'paraglide' | 'next-intl', (cwd: string, machine: Machine, offline: boolean) => Promise<Result>>>}
 */
export const setups = {
  async servicekit(cwd, machine, offline) {
    const { execute } = commandsIn(cwd, machine, offline)
    const { baseUrl, projectKey } = machine.service
    const started = performance.now()
    const init = `npx -y servicekit init --yes --example --url ${baseUrl} --key ${projectKey}`
    const output = await execute(init)
    if (!output.includes('The type check passed')) throw new Error(output)
    return { seconds: secondsSince(started), commands: 1, files: 0 }
  },
  async paraglide(cwd, machine, offline) {
    const { env, execute } = commandsIn(cwd, machine, offline)
    const started = performance.now()
    const hook = `--import ${join(import.meta.dirname, 'local-cdn.mjs')}`
    const { code, output } = await runInTerminal('npx -y @inlang/paraglide-js@latest init', {
      cwd,
      env: { ...env, NODE_OPTIONS: hook, SETUP_CDN: machine.cdn },
      answers: [
        { prompt: /Which outdir/, keys: '\r' },
        // It reads only tsconfig.json, which has references in this scaffold.
        { prompt: /allowJs.*\?/, keys: 'n' },
        { prompt: /Visual Studio Code.*\?/, keys: 'n' },
        { prompt: /machine translations\?/, keys: 'n' },
      ],
    })
    if (code !== 0 || !output.includes('Setup complete')) throw new Error(output)
    await execute('npm install')
    const files = editByHand(cwd, manualEdits.paraglide)
    await execute('npx tsc -b')
    return { seconds: secondsSince(started), commands: 2, files }
  },
  async 'next-intl'(cwd, machine, offline) {
    const { execute } = commandsIn(cwd, machine, offline)
    const started = performance.now()
    // Their latest releases need a package that some registries do not have yet.
    await execute('npm install next-intl@4.14.8 use-intl@4.14.8')
    const files = editByHand(cwd, manualEdits['next-intl'])
    await execute('npx next typegen')
    await execute('npx tsc --noEmit')
    return { seconds: secondsSince(started), commands: 1, files }
  },
}

/** @param {number} started */
const secondsSince = (started) => (performance.now() - started) / 1000

/**
 * Builds a project and checks that its output has the message in both languages.
 *
 * @param {string} cwd
 * @param {Machine} machine
 * @param {{ folder: string, texts: readonly string[] }} expected
 */
export async function expectBuilt(cwd, machine, { folder, texts }) {
  await commandsIn(cwd, machine, true).execute('npm run build')
  const built = readdirSync(join(cwd, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|mjs|json|html|rsc)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  const missing = texts.find((text) => !built.includes(text))
  if (missing !== undefined) throw new Error(`${cwd} does not contain "${missing}"`)
}
