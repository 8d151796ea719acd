import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../lib/root.mjs'
import { runNode } from '../lib/run.mjs'
import { app, importVite } from './app.mjs'
import { measureFirstPage } from './first-page.mjs'
import { counted, step, table } from './print.mjs'

/** @param {Record<string, string>} env */
export async function makeProduct(env) {
  const vite = join(app, 'node_modules/vite/bin/vite.js')
  await step(
    'app',
    async () => {
      const { code, output } = await runNode([vite, 'build'], { cwd: app, env })
      if (code !== 0) throw new Error(`vite build ended with ${code}\n${output}`)
      return measureFirstPage(join(app, 'dist'))
    },
    () => `built for production in ${relative(root, join(app, 'dist'))}`,
  ).then((languages) => {
    const head = ['language', 'text downloaded by the first page', 'strings it shows']
    const rows = languages.map(({ language, downloaded, strings }) => [
      language,
      `${downloaded} B`,
      `${strings} B`,
    ])
    console.log(`\n${table([head, ...rows])}\n`)
  })
  await step(
    'data',
    () => listAndInsert(env),
    ({ before, after, id }) =>
      `listed ${counted(before, 'product')}, inserted ${id}, listed ${after.toLocaleString('en-US')}`,
  )
}

/**
 * Lists, inserts and lists again with the generated helpers. Anyone may list products;
 * inserting requires the token of the project's machine client, which has the role
 * `editor`.
 *
 * @param {Record<string, string>} env
 */
async function listAndInsert(env) {
  const { runnerImport } = await importVite()
  const load = async (/** @type {string} */ name) =>
    (await runnerImport(join(app, 'src/gateway', name), { root: app, configFile: false })).module
  const { createGateway, orThrow } = await load('gateway.ts')
  const { insertProduct, listProducts } = await load('product.ts')
  const options = { baseUrl: env['SERVICEKIT_URL'], projectKey: env['SERVICEKIT_PROJECT_KEY'] }
  const gateway = createGateway(options)
  const list = () =>
    orThrow(listProducts(gateway, { select: ['Name'], paging: { pageNo: 1, pageSize: 1 } }))
  const { totalCount: before } = await list()
  const headers = { authorization: `Bearer ${await machineToken(env)}` }
  const { itemId: id } = await orThrow(
    insertProduct(createGateway({ ...options, headers }), {
      Name: 'Walnut Butter Dish',
      Sku: 'BTR-900',
      Price: 38,
    }),
  )
  const { totalCount: after } = await list()
  return { before, after, id }
}

/**
 * Returns an access token of the sample project's machine client.
 *
 * @param {Record<string, string>} env
 * @returns {Promise<string>}
 */
async function machineToken(env) {
  const identity = JSON.parse(
    readFileSync(join(root, 'fixtures/projects/storefront/identity.json'), 'utf8'),
  )
  const client = identity.clients.find((/** @type {any} */ one) => one.clientSecret)
  const response = await fetch(`${env['SERVICEKIT_URL']}/iam/v4/oidc/token`, {
    method: 'POST',
    headers: { 'x-service-key': env['SERVICEKIT_PROJECT_KEY'] ?? '' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      org_id: 'default',
    }),
  })
  if (!response.ok) throw new Error(`The platform issued no token: ${await response.text()}`)
  return /** @type {any} */ (await response.json()).accessToken
}
