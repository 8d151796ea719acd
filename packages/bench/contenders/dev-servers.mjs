/**
 * Server process of `dev-edit`: the local platform, or a development server of vite with our
 * plugin. Each has a process of its own, as on a developer's machine.
 *
 * The first message selects the server to start; the reply contains its URL. The second message
 * closes it.
 */
import { startPlatform } from '@servicekit/platform/node'
import { uilm } from '@servicekit/unplugin/vite'
import { createServer } from 'vite'

process.once('message', async (message) => {
  const { projectDir, ...options } = /** @type {Start} */ (message)
  const { url, close } = await (projectDir === undefined
    ? startVite(options)
    : startLocalPlatform(projectDir))
  process.send?.({ url })
  process.once('message', async () => {
    await close()
    process.send?.({})
    process.disconnect()
  })
})

/** @typedef {{ projectDir?: string, root?: string, baseUrl?: string, projectKey?: string }} Start */

/** @param {string} projectDir */
async function startLocalPlatform(projectDir) {
  const { baseUrl, close } = await startPlatform({ projectDir })
  return { url: baseUrl, close }
}

/** @param {Omit<Start, 'projectDir'>} options */
async function startVite({ root = '', baseUrl = '', projectKey = '' }) {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [uilm({ root, baseUrl, projectKey, pollMs: 0 })],
  })
  await server.listen()
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
}
