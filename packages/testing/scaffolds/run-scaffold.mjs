import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../src/free-port.mjs'
import { run } from '../../workspace/lib/run.mjs'
import { findRuntime } from '../src/runtimes.mjs'
import { isDeep } from '../src/is-deep.ts'
import { commandsOf } from './guide.mjs'
import { saveResult } from './results.mjs'
import { runProgram, showPage, startProgram, startServer } from './start-program.mjs'
import { visitInLanguages } from './visit.mjs'

/**
 * @typedef {object} Environment
 * @property {string} folder in which the project is created
 * @property {string} registry URL of the registry with our packages
 * @property {string} cache of npm
 * @property {{ baseUrl: string, projectKey: string }} platform
 *
 * @typedef {object} Step
 * @property {string} title
 * @property {(environment: Environment) => Promise<void>} run rejects with the reason of a failure
 */

/**
 * Returns how the commands of a scaffold run: its lines, their folder and their environment.
 *
 * @param {import('./definitions.mjs').Scaffold} scaffold
 * @param {Environment} environment
 */
function commandsIn(scaffold, { folder, registry, cache, platform }) {
  const service = `--url ${platform.baseUrl} --key ${platform.projectKey}`
  const lines = scaffold.guide
    ? commandsOf(scaffold.guide)
    : [
        ...(scaffold.create ? [scaffold.create, 'cd shop'] : []),
        `npx servicekit init --yes --example ${service}`,
        scaffold.start ?? '',
      ]
  const [init = '', start = ''] = lines.slice(-2)
  const enter = lines.find((line) => line.startsWith('cd '))
  const app = join(folder, enter?.slice('cd '.length) ?? 'app')
  const env = {
    ...npmEnvironment({ registry, cache }),
    PATH: `${dirname(findRuntime(scaffold.node) ?? process.execPath)}:${process.env['PATH']}`,
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NG_CLI_ANALYTICS: 'false',
    // On a terminal, npx asks whether to install the package.
    npm_config_yes: 'true',
    // Only the clean clone is built as in CI.
    CI: undefined,
    ...scaffold.env,
  }
  /** @param {string} line @param {Record<string, string | undefined>} [extra] */
  const execute = async (line, extra = {}, prefix = /** @type {readonly string[]} */ ([])) => {
    const [command = '', ...args] = [...prefix, ...line.split(' ')]
    // The first command creates the folder.
    const cwd = existsSync(app) ? app : folder
    const { code, output } = await run(command, args, { cwd, env: { ...env, ...extra } })
    if (code === 0) return output
    throw new Error(`"${line}" failed with exit code ${code}\n${output}`)
  }

  const before = lines.slice(0, -2).filter((line) => line !== enter)
  return { before, init, start, app, env, execute }
}

/**
 * Returns the step that visits the build in several languages, and writes what it saw.
 *
 * @param {import('./definitions.mjs').Scaffold} scaffold
 * @returns {readonly Step[]}
 */
function languageStep(scaffold) {
  const { application } = scaffold
  if (!application) return []
  const where = application.rendersInBrowser ? 'shows' : 'renders'
  return [
    {
      title: `${where}, switches and keeps the language of each visitor without an edit by hand`,
      async run(environment) {
        const { before, app, env, execute } = commandsIn(scaffold, environment)
        writeProject(app, application.files)
        await execute('npm run build')
        const port = String(await freePort())
        const place = { app, env: { ...env, PORT: port, HOST: 'localhost' } }
        const sample = scaffold.guide ? await startSample(place) : undefined
        const { result, output, stop } = await startServer(application.start, place)
        try {
          const seen = await visitInLanguages(await result, application).catch(
            (/** @type {Error} */ error) => {
              throw new Error(`${error.message}\n${output()}`, { cause: error })
            },
          )
          const commands = before.length + 2
          if (isDeep) saveResult({ ...describe(scaffold, app), commands, ...seen })
        } finally {
          await stop()
          await sample?.stop()
        }
      },
    },
  ]
}

/**
 * Returns the name of a scaffold with the versions that it got.
 *
 * @param {import('./definitions.mjs').Scaffold} scaffold
 * @param {string} app
 */
function describe({ name, shows = [] }, app) {
  const versions = shows.map((one) => {
    const text = readFileSync(join(app, 'node_modules', one, 'package.json'), 'utf8')
    return `${one} ${JSON.parse(text).version}`
  })
  return { name, versions }
}

/**
 * Starts the sample platform that the commands of the guide configure.
 *
 * @param {import('./start-program.mjs').Place} place
 */
async function startSample(place) {
  const sample = await startProgram('npx servicekit dev --sample', place, (text) =>
    text.includes('http://') ? true : undefined,
  )
  await sample.result
  return sample
}

/**
 * Writes files of a project.
 *
 * @param {string} app
 * @param {Readonly<Record<string, string>>} files
 */
function writeProject(app, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(app, name)), { recursive: true })
    writeFileSync(join(app, name), text)
  }
}

/**
 * Returns the steps of a test of one scaffold, in order. A step needs those before it.
 *
 * @param {import('./definitions.mjs').Scaffold} scaffold
 * @returns {readonly Step[]}
 */
export function stepsOf(scaffold) {
  return [
    {
      title: 'is created and set up as documented, and type checks',
      async run(environment) {
        const { before, init, app, execute } = commandsIn(scaffold, environment)
        writeProject(app, scaffold.files ?? {})
        for (const line of before) await execute(line)
        const output = await execute(init)
        if (scaffold.check && !output.includes('The type check passed')) throw new Error(output)
      },
    },
    {
      title: `${scaffold.prints ? 'prints' : 'shows'} a message and a list with the last command`,
      async run(environment) {
        const { start, app, env } = commandsIn(scaffold, environment)
        if (scaffold.prints) await runProgram(start, scaffold.prints, { app, env })
        else await showPage(start, { app, env })
      },
    },
    {
      title: 'is not changed by a second run of init',
      async run(environment) {
        const { init, app, execute } = commandsIn(scaffold, environment)
        const before = snapshot(app)
        const output = await execute(init)
        if (!output.includes('Nothing to change.')) throw new Error(output)
        const after = snapshot(app)
        for (const [path, text] of after) {
          if (before.get(path) !== text) throw new Error(`${path} changed`)
        }
      },
    },
    {
      title: 'installs, type checks and builds as a clean clone without network',
      async run(environment) {
        const { app, execute } = commandsIn(scaffold, environment)
        for (const name of ['.servicekit', 'node_modules']) {
          rmSync(join(app, name), { recursive: true, force: true })
        }
        // Not `npm ci`: it fails if the registry lacks an optional package of another system.
        const clean = { CI: 'true', npm_config_offline: 'true' }
        const build = scaffold.hasNoBuild ? undefined : 'npm run build'
        for (const line of ['npm install', scaffold.check, build]) {
          if (line) await execute(line, clean, await withoutNetwork())
        }
      },
    },
    ...languageStep(scaffold),
  ]
}

/**
 * Returns the environment variables of npm commands, which use an own registry and cache.
 *
 * @param {Pick<Environment, 'registry' | 'cache'>} environment
 */
export const npmEnvironment = ({ registry, cache }) => ({
  ...cleanEnvironment(),
  npm_config_registry: registry,
  npm_config_cache: cache,
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_prefer_offline: 'true',
  npm_config_omit_lockfile_registry_resolved: 'false',
})

/**
 * Returns the environment variables to remove: those that npm sets for scripts would bind
 * the inner npm to this repository.
 */
function cleanEnvironment() {
  const names = Object.keys(process.env).filter((name) =>
    /^npm_(?!config_(?:cafile|https?_proxy|noproxy|userconfig)$)/i.test(name),
  )
  const own = ['INIT_CWD', 'NODE_PATH', 'NODE_OPTIONS', 'SERVICEKIT_URL', 'SERVICEKIT_PROJECT_KEY']
  // With those of the test runner, frameworks build as for development.
  const runner = Object.keys(process.env).filter((name) => /^(?:VITEST|NODE_ENV$|TEST$)/.test(name))
  return Object.fromEntries([...names, ...own, ...runner].map((name) => [name, undefined]))
}

/**
 * Returns a prefix that runs a command with no network but loopback, over which Turbopack
 * talks to its processes; empty where the system cannot do this.
 *
 * @returns {Promise<readonly string[]>}
 */
export async function withoutNetwork() {
  const prefix = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"']
  const [command = '', ...args] = [...prefix, 'true']
  const { code } = await run(command, args)
  return code === 0 ? prefix : []
}

/** Returns the texts of the files of a project, without what is generated. @param {string} app */
function snapshot(app) {
  const skipped =
    /^(?:node_modules|\.servicekit|\.git|\.next|\.nuxt|\.svelte-kit|\.astro|\.angular|\.react-router|dist|build)(?:\/|$)/
  return new Map(
    readdirSync(app, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(app.length + 1))
      .filter((path) => !skipped.test(path))
      .map((path) => [path, readFileSync(join(app, path), 'latin1')]),
  )
}
