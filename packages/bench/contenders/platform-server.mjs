/**
 * Server process of `platform-throughput`: our platform, or a bare Hono handler that sends
 * the same SQL through the same data layer. It is bundled with the platform's sources
 * (`lib/bundle-platform-server.mjs`), because the data layer is not public.
 *
 * The first message selects the server to start; the reply contains its port. The second
 * message closes the platform cleanly.
 */
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { openDatabase } from '../../platform/src/database/open-database.ts'
import { hashSecret } from '../../platform/src/secrets.ts'
import { listen } from '../../platform/src/node.ts'
import { resolveOptions } from '../../platform/src/resolve-options.ts'
import { beginPlatform } from '../../platform/src/platform.ts'
import { parseProject } from '../../platform/src/projects/parse-project.ts'
import { addBaselineRoutes } from '../lib/platform-baseline.mjs'
import { project, projectKey, sessions, sessionExpiry } from '../lib/platform-workload.mjs'

process.once('message', async (message) => {
  const { kind, ...location } = /** @type {Start} */ (message)
  const server = await (kind === 'bare' ? startBare(location) : startPlatform(location))
  process.send?.({ port: server.port })
  process.once('message', async () => {
    if ('close' in server) await server.close()
    process.send?.({})
  })
})

/**
 * @typedef {object} Start
 * @property {'platform' | 'bare'} kind
 * @property {string} [databaseUrl]
 * @property {string} [dataDir]
 */

/** @param {Omit<Start, 'kind'>} location */
async function startPlatform(location) {
  const options = resolveOptions({ ...location, onError: console.error })
  const database = await openDatabase(options)
  const { platform } = await load(options, database)
  const { port, close } = await listen(platform)
  return { port, close: () => Promise.all([close(), platform.close()]) }
}

/**
 * Starts a platform and loads the project, unless the database contains it already.
 *
 * @param {import('../../platform/src/options.ts').ResolvedOptions} options
 * @param {import('../../platform/src/database/database.ts').Database} database
 */
async function load(options, database) {
  const started = beginPlatform(options, Promise.resolve(database))
  await started.ready
  const known = await started.platform.projectKeys()
  if (!known.includes(projectKey)) {
    await started.platform.loadProject(parseProject(project))
    await signIn(database)
  }
  return started
}

/**
 * Creates a session of each user like a sign-in does, without a browser.
 *
 * @param {import('../../platform/src/database/database.ts').Database} database
 */
async function signIn(database) {
  const { rows } = await database.unscoped.execute(
    `select id from servicekit.projects where key = '${projectKey}'`,
  )
  const id = Number(rows[0]?.['id'])
  await database.scoped(id, async (tables) => {
    for (const { token, userId } of sessions) {
      await tables.execute(`insert into servicekit.oidc_states
        (project_id, kind, hash, payload, grant_id, account_id, expires_at)
        values (${id}, 'AccessToken', '${hashSecret(token)}', '{"clientId": "web"}', '${userId}',
          '${userId}', '${sessionExpiry}')`)
      await tables.execute(`insert into servicekit.sessions
        (project_id, hash, session_id, user_id, client_id, grant_id, created_at, last_activity_at,
          idle_expires_at, absolute_expires_at)
        values (${id}, '${userId}', '${userId}', '${userId}', 'web', '${userId}', now(), now(),
          '${sessionExpiry}', '${sessionExpiry}')`)
    }
  })
}

/** Starts the bare handler. @param {Omit<Start, 'kind'>} location */
async function startBare(location) {
  const options = resolveOptions(location)
  const database = await openDatabase(options)
  await load(options, database)
  const { rows } = await database.unscoped.execute(
    `select id from servicekit.projects where key = '${projectKey}'`,
  )
  const app = new Hono()
  addBaselineRoutes(app, database, Number(rows[0]?.['id']))
  // The adapter's defaults, which replace the global classes with faster ones.
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return /** @type {import('node:net').AddressInfo} */ (server.address())
}
