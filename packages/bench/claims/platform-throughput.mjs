import { fileURLToPath } from 'node:url'
import { bundlePlatformServer } from '../lib/bundle-platform-server.mjs'
import { startPostgres } from '@servicekit/testing/postgres'
import { startChild } from '../lib/child-process.mjs'
import { targets } from '../lib/platform-workload.mjs'
import { readTree } from '../lib/process-tree.mjs'
import { canLimitCpu, limitCpu } from '../lib/cpu-limit.mjs'

/**
 * Requests per second through the full stack (sessions, validation, fault injection,
 * metrics) compared with a bare Hono handler on the same adapter and the same data layer.
 * The bare handler sends the same statement, in one transaction in the scope of the project,
 * without looking up project or session. Everything that the platform requests from the
 * database beyond that is therefore part of its figure.
 *
 * The compared figure is requests per second of processor time, of the server and of
 * PostgreSQL together: it determines the throughput of a saturated machine and does not
 * depend on other load. Two instances are compared by requests per second.
 *
 * All servers run at the same time, each in its own process. One server at a time receives
 * requests, over 16 kept-alive connections from another process. `create` and `read` send a
 * session; `list` is a page of ten records through GraphQL, `insert` inserts a record.
 *
 * In `two instances`, two instances share one PostgreSQL and are compared with one of them.
 * Each is limited to a share of a processor: the sender and PostgreSQL need processor time, too,
 * and without a limit a single instance uses both processors completely.
 */
const seconds = 1.5
const connections = 16
/** Share of a processor for each instance; 1 if processes cannot be limited. */
const share = canLimitCpu ? 0.25 : 1
const engines = /** @type {const} */ (['PGlite', 'PostgreSQL'])
const minRatio = 0.4
const requests = /** @type {const} */ (['read', 'create', 'list', 'insert'])

/** @typedef {{ port: number, pid: number }} Server */

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'requests per second through the full stack',
  claims: [
    ...engines.flatMap((engine) =>
      requests.map((name) => ({
        claim: `platform-throughput-${name}-${engine.toLowerCase()}`,
        figure: 'perCpuSecond',
        unit: 'requests/CPU s',
        ours: `${name} on ${engine}`,
        peer: `bare ${name} on ${engine}`,
        peerName: 'bare Hono handler',
        goal: { minRatio },
      })),
    ),
    .../** @type {const} */ (['read', 'create']).map((name) => ({
      claim: `platform-throughput-${name}-instances`,
      figure: 'perSecond',
      unit: 'requests/s',
      ours: `${name} by two instances`,
      peer: `${name} by one instance`,
      peerName: `one instance, each with ${share} of a processor`,
      goal: { minRatio: 1.6 },
    })),
  ],
  async prepare({ progress, onEnd }) {
    progress('bundling')
    const bundle = await bundlePlatformServer()
    onEnd(bundle.remove)
    progress('starting databases and servers')
    const postgres = await startPostgres()
    onEnd(postgres.stop)
    const load = startChild(
      fileURLToPath(new URL('../contenders/platform-load.mjs', import.meta.url)),
    )
    onEnd(load.stop)
    /** @param {object} options @returns {Promise<Server>} */
    const start = async (options) => {
      const server = startChild(bundle.file)
      onEnd(server.stop)
      const { port } = await server.ask(options)
      return { port, pid: server.pid }
    }
    const { databaseUrl } = postgres
    const ours = {
      PGlite: await start({ kind: 'platform' }),
      PostgreSQL: await start({ kind: 'platform', databaseUrl }),
    }
    const instances = [
      await start({ kind: 'platform', databaseUrl }),
      await start({ kind: 'platform', databaseUrl }),
    ]
    const bare = {
      PGlite: await start({ kind: 'bare' }),
      PostgreSQL: await start({ kind: 'bare', databaseUrl }),
    }
    /**
     * @param {keyof typeof targets} name
     * @param {readonly Server[]} servers
     * @param {{ duration?: number, senders?: number }} [options]
     */
    const measure = async (name, servers, { duration = seconds, senders = connections } = {}) => {
      const target = targets[name]
      const ports = servers.map(({ port }) => port)
      // PostgreSQL serves only the measured server, so its processor time belongs to
      // these requests.
      const used = () =>
        [...servers.map(({ pid }) => pid), postgres.pid]
          .map((pid) => readTree(pid).cpuSeconds)
          .reduce((sum, one) => sum + one, 0)
      const before = used()
      const { perSecond, count } = await load.ask({
        ports,
        target,
        seconds: duration,
        connections: senders / ports.length,
      })
      return { perSecond, perCpuSecond: count / (used() - before) }
    }
    for (const name of requests) {
      progress(`warming up: ${name}`)
      for (const server of [...Object.values(ours), ...instances, ...Object.values(bare)]) {
        await measure(name, [server], { duration: 2 * seconds })
      }
    }
    // Requests also wait while an instance waits for its share, so more of them are in flight.
    const limited = { senders: 2 * connections }
    if (canLimitCpu) for (const { pid } of instances) onEnd(limitCpu(pid, share))
    return {
      // Each figure is measured next to the one that it is divided by.
      ...Object.fromEntries(
        engines.flatMap((engine) =>
          requests.flatMap((name) => [
            [`${name} on ${engine}`, () => measure(name, [ours[engine]])],
            [`bare ${name} on ${engine}`, () => measure(name, [bare[engine]])],
          ]),
        ),
      ),
      'read by two instances': () => measure('read', instances, limited),
      'read by one instance': () => measure('read', instances.slice(0, 1), limited),
      'create by two instances': () => measure('create', instances, limited),
      'create by one instance': () => measure('create', instances.slice(0, 1), limited),
    }
  },
}
