/**
 * Runs the main workflow: installs, builds, starts the local platform with the storefront
 * project, pulls its translations, compiles them, generates the data access and serves the
 * sample shop.
 *
 *     npm start [-- --once]
 *
 * --once  builds the shop for production instead of serving it, prints what its
 *         first page downloads, lists and inserts a product, and exits
 */
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import { buildPackages } from './build.mjs'
import { ensureInstalled, sampleShop } from './install.mjs'
import { root } from './lib/root.mjs'
import { runMain } from './lib/run.mjs'
import { servicekit, startPlatform } from './start/command.mjs'
import { app } from './start/app.mjs'
import { bytes, counted, step } from './start/print.mjs'
import { makeProduct } from './start/production.mjs'
import { serve } from './start/serve.mjs'

const project = join(root, 'fixtures/projects/storefront')

async function start() {
  const args = process.argv.slice(2)
  const unknown = args.find((arg) => arg !== '--once')
  if (unknown) {
    console.error(`Unknown flag ${unknown}. Use --once.`)
    return 2
  }
  const once = args.includes('--once')
  const isReady = await step(
    'install',
    () => ensureInstalled(sampleShop),
    () => 'what the shop and the platform need',
  )
  if (!isReady) return 1
  const isBuilt = await step(
    'build',
    () => buildPackages({ declarations: false, only: ['cli', 'platform', 'unplugin'] }),
    () => 'without declarations',
  )
  if (!isBuilt) return 1

  const platform = await step(
    'platform',
    async () => startPlatform(platformFlags(once, await freePort(4600)), app),
    ({ baseUrl }) => `${relative(root, project)} at ${baseUrl}`,
  )
  try {
    const env = environment(platform)
    await makeSources(env)
    if (once) await makeProduct(env)
    else await serve(env, platform)
  } finally {
    await platform.stop()
  }
  return 0
}

/**
 * Keep the data of a server that runs for a while; a single run starts and ends with an
 * empty database.
 */
const platformFlags = (/** @type {boolean} */ once, /** @type {number} */ port) => [
  '--project',
  project,
  '--port',
  String(once ? 0 : port),
  ...(once ? ['--memory'] : []),
]

/** @param {{ baseUrl: string, projectKey: string }} platform */
const environment = ({ baseUrl, projectKey }) => ({
  SERVICEKIT_URL: baseUrl,
  SERVICEKIT_PROJECT_KEY: projectKey,
  VITE_SERVICEKIT_URL: baseUrl,
  VITE_SERVICEKIT_PROJECT_KEY: projectKey,
})

/** @param {Record<string, string>} env */
async function makeSources(env) {
  const options = { cwd: app, env }
  await step(
    'pull',
    () => servicekit(['pull', '--no-frozen'], options),
    (report) =>
      `${counted(report.languages, 'language')}, ${counted(report.modules, 'module')}, ` +
      `${counted(report.files, 'file')}, ${bytes(report.bytes)}, ${report.written} written; ` +
      `types in ${counted(report.types.files, 'file')}, ${bytes(report.types.bytes)}`,
  )
  await step(
    'compile',
    () => servicekit(['compile', '--out', '.servicekit/compiled'], options),
    (report) =>
      `${counted(report.keys, 'key')}, ${counted(report.files, 'file')}, ${bytes(report.bytes)}, ` +
      `${report.written} written; ${report.untranslated} texts not translated`,
  )
  await step(
    'codegen',
    () => servicekit(['codegen'], options),
    (report) =>
      `${counted(report.schemas, 'schema')}, ${counted(report.operations, 'operation')}, ` +
      `${counted(report.files, 'file')}, ${bytes(report.bytes)}, ${report.written.length} written`,
  )
}

/**
 * Returns the port if it is free, otherwise any free port.
 *
 * @param {number} port
 * @returns {Promise<number>}
 */
function freePort(port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(0))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}

await runMain(() =>
  start().catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }),
)
