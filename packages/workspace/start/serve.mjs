import { relative } from 'node:path'
import { root } from '../lib/root.mjs'
import { app, importVite } from './app.mjs'
import { step } from './print.mjs'

/**
 * Serves the shop until the process receives a signal.
 *
 * @param {Record<string, string>} env
 * @param {{ baseUrl: string, projectKey: string }} platform
 */
export async function serve(env, { baseUrl, projectKey }) {
  Object.assign(process.env, env)
  const { createServer: createViteServer } = await importVite()
  const server = await step(
    'app',
    async () => {
      const server = await createViteServer({ root: app, logLevel: 'warn' })
      await server.listen()
      return server
    },
    () => relative(root, app),
  )
  const shop = server.resolvedUrls?.local[0] ?? ''
  console.log(
    [
      '',
      `  the console    ${baseUrl}/console/?project=${encodeURIComponent(projectKey)}`,
      `  the shop       ${shop}`,
      `  the platform   ${baseUrl}`,
      `  its interface  ${baseUrl}/_platform/api`,
      `  project key    ${projectKey}`,
      '',
      'Change a text and watch the page:',
      `  ${baseUrl}/console/translations/catalog/PRODUCTS_HEADING?project=${encodeURIComponent(projectKey)}`,
      '',
      'Ctrl-C ends it.',
    ].join('\n'),
  )
  await new Promise((resolve) => {
    process.removeAllListeners('SIGINT').once('SIGINT', resolve)
    process.removeAllListeners('SIGTERM').once('SIGTERM', resolve)
  })
  await server.close()
}
