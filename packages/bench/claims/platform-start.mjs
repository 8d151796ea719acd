import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { freePort } from '@servicekit/testing/free-port'
import { versionOf } from '../lib/peers.mjs'
import { bundlePlatformServer } from '../lib/bundle-platform-server.mjs'
import { startChild } from '../lib/child-process.mjs'
import { targets } from '../lib/platform-workload.mjs'
import { readTree } from '../lib/process-tree.mjs'

/**
 * Time from starting a process until it accepts a connection and until it has responded to
 * its first request, and the memory that the process and its descendants hold at that
 * point.
 *
 * Our first request is `GET /iam/v4/iam/me` with a session cookie; the data folder was
 * filled before and is opened cold. `fresh` is an in-memory platform that loads a project
 * and whose first request is for translations; `first` is the same without anything in the
 * user's cache folder. The peers receive the request that they respond to soonest: Azurite,
 * in memory, a list that it rejects; Prism, which mocks our own OpenAPI document, an
 * example; the mock of an OAuth server, a token.
 *
 * The floor of a platform for tests (`fresh`) is a server of `node:http` without a single
 * import besides, which responds to every request with an empty body.
 *
 * `cpu` is the processor time of all of it. On an otherwise idle machine it is an upper
 * bound of the time where everything runs on one core.
 */
const startScript = fileURLToPath(new URL('../contenders/platform-start.mjs', import.meta.url))
const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))

const peers = {
  azurite: `azurite ${versionOf('azurite')}`,
  prism: `prism ${versionOf('@stoplight/prism-cli')}`,
  oauth2: `oauth2-mock-server ${versionOf('oauth2-mock-server')}`,
}

const bareServer = `
  const { createServer } = require('node:http')
  createServer((request, response) => response.end()).listen(Number(process.argv[1]), '127.0.0.1')
`

const seconds = { unit: 's' }
const memory = { figure: 'residentMb', unit: 'MiB' }

/** Maximum ratio of each time, by peer: each peer does a different part of the work. */
const times = {
  azurite: { listening: 0.35, response: 1.2, cpu: 1.3 },
  prism: { listening: 0.1, response: 0.35, cpu: 0.4 },
  oauth2: { listening: 0.6, response: 2.5, cpu: 3 },
}
const versus = (/** @type {keyof typeof peers} */ peer, ours = 'folder') => ({
  ours,
  peer,
  peerName: peers[peer],
})

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'time from the start of the process to its first response',
  claims: [
    .../** @type {(keyof typeof peers)[]} */ (Object.keys(peers)).flatMap((peer) => [
      ...Object.entries(times[peer]).map(([figure, maxRatio]) => ({
        claim: `platform-start-${figure}-${peer}`,
        figure,
        ...seconds,
        ...versus(peer),
        goal: { maxRatio },
      })),
      {
        claim: `platform-start-memory-${peer}`,
        ...memory,
        ...versus(peer),
        goal: { max: 330 },
      },
    ]),
    {
      claim: 'platform-start-fresh-response',
      figure: 'response',
      ...seconds,
      ...versus('azurite', 'fresh'),
      goal: { maxRatio: 1.2 },
    },
    {
      claim: 'platform-start-first-response',
      figure: 'response',
      ...seconds,
      ...versus('azurite', 'first'),
      goal: { maxRatio: 2.5 },
    },
    {
      claim: 'platform-start-fresh-node',
      figure: 'response',
      ...seconds,
      ours: 'fresh',
      peer: 'node',
      peerName: 'bare node:http server',
      goal: { maxRatio: 4 },
    },
    {
      claim: 'platform-start-fresh-memory',
      ...memory,
      ...versus('azurite', 'fresh'),
      goal: { max: 330 },
    },
  ],
  async prepare({ folder, progress }) {
    progress('filling a data folder')
    const filled = join(folder(), 'data')
    const { openApi } = await fill(filled)
    const document = join(folder(), 'openapi.json')
    writeFileSync(document, openApi)
    return {
      folder: async () => {
        const dataDir = join(folder(), 'data')
        cpSync(filled, dataDir, { recursive: true })
        const { path, headers, expect } = targets.read
        return measure(
          (port) => [startScript, JSON.stringify({ dataDir, port })],
          { path, headers },
          (status, text) => status === 200 && text.includes(expect),
        )
      },
      fresh: () => measureFresh({}),
      first: () => measureFresh({ XDG_CACHE_HOME: folder() }),
      node: () =>
        measure(
          (port) => ['--eval', bareServer, `${port}`],
          { path: '/' },
          (status) => status === 200,
        ),
      azurite: () =>
        measure(
          (port) => [
            peer('azurite/dist/src/blob/main.js'),
            '--inMemoryPersistence',
            '--silent',
            '--skipApiVersionCheck',
            '--blobPort',
            `${port}`,
          ],
          { path: '/devstoreaccount1?comp=list' },
          (status) => status === 403,
        ),
      prism: () =>
        measure(
          (port) => [peer('@stoplight/prism-cli/dist/index.js'), 'mock', document, '-p', `${port}`],
          { path: '/iam/v4/iam/me', headers: targets.read.headers },
          (status) => status < 500,
        ),
      oauth2: () =>
        measure(
          (port) => [peer('oauth2-mock-server/dist/oauth2-mock-server.mjs'), '-p', `${port}`],
          { path: '/token', method: 'POST', body: 'grant_type=client_credentials', headers: form },
          (status, text) => status === 200 && text.includes('access_token'),
        ),
    }
  },
}

/**
 * Measures an in-memory platform that loads a project and whose first request is for
 * translations.
 *
 * @param {Readonly<Record<string, string>>} env
 */
function measureFresh(env) {
  const key = 'P5c1e7a90d2f84b6e8a3f9d41'
  return measure(
    (port) => [startScript, JSON.stringify({ projectDir: storefront, port })],
    {
      path: `/uilm/v1/Key/GetUilmFile?Language=de-DE&ModuleName=auth&ProjectKey=${key}`,
      headers: { 'x-service-key': key },
    },
    (status, text) => status === 200 && text.includes('SIGN_IN'),
    env,
  )
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Returns the path of a peer's program; not every package exports its own. @param {string} path */
const peer = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))

/** Fills a data folder and closes the platform cleanly. @param {string} dataDir */
async function fill(dataDir) {
  const bundle = await bundlePlatformServer()
  const server = startChild(bundle.file)
  try {
    const { port } = await server.ask({ kind: 'platform', dataDir })
    const { body } = await request(`http://127.0.0.1:${port}/openapi.json`)
    const openApi = await body.text()
    await server.ask({ close: true })
    return { openApi }
  } finally {
    await server.stop()
    await bundle.remove()
  }
}

/**
 * @typedef {object} FirstRequest
 * @property {string} path
 * @property {'POST'} [method]
 * @property {string} [body]
 * @property {Readonly<Record<string, string>>} [headers]
 *
 * @param {(port: number) => readonly string[]} program
 * @param {FirstRequest} first
 * @param {(status: number, text: string) => boolean} isExpected
 * @param {Readonly<Record<string, string>>} [env]
 * @returns {Promise<{ listening: number, response: number, residentMb: number, cpu: number }>}
 */
async function measure(program, { path, ...options }, isExpected, env = {}) {
  const port = await freePort()
  const start = performance.now()
  const since = () => (performance.now() - start) / 1000
  const child = spawn(process.execPath, program(port), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'exit')
  try {
    while (!(await isListening(port))) {
      if (child.exitCode !== null || since() > 60)
        throw new Error(`The process does not listen:\n${output}`)
      await sleep(2)
    }
    const listening = since()
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, options)
    const text = await body.text()
    const response = since()
    if (!isExpected(statusCode, text)) throw new Error(`${statusCode}: ${text.slice(0, 300)}`)
    const { residentMb, cpuSeconds } = readTree(/** @type {number} */ (child.pid))
    return { listening, response, residentMb, cpu: cpuSeconds }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** @param {number} port @returns {Promise<boolean>} */
const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
