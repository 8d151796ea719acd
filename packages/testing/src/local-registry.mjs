import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readPackages } from '../../workspace/lib/packages.mjs'
import { pnpm, root } from '../../workspace/lib/root.mjs'
import { run } from '../../workspace/lib/run.mjs'

/** @typedef {{ url: string, close: () => Promise<void> }} Registry */

/**
 * Packs the public packages like `pnpm publish`, which applies versions of workspace
 * packages and publishConfig.
 *
 * @param {string} folder
 */
export async function packPackages(folder) {
  const filters = readPackages()
    .filter(({ isPublic }) => isPublic)
    .map(({ name }) => `--filter=${name}`)
  const args = ['-y', pnpm, '--recursive', ...filters, 'pack', '--pack-destination', folder]
  const { code, output } = await run('npx', args, { cwd: root, env: { CI: 'true' } })
  if (code !== 0) throw new Error(output)
}

/**
 * Returns the file of a packed package.
 *
 * @param {string} folder
 * @param {import('../../workspace/lib/packages.mjs').Package} item
 */
export const tarballOf = (folder, { name, manifest }) =>
  join(folder, `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`)

/**
 * Serves packed packages like a registry, and redirects requests for other packages to the
 * configured one.
 *
 * @param {string} folder of the packed packages
 * @returns {Promise<Registry>}
 */
export async function startRegistry(folder) {
  const { output } = await run('npm', ['config', 'get', 'registry'], { cwd: folder })
  const upstream = /^https?:\/\/\S+/m.exec(output)?.[0].replace(/\/$/, '') ?? ''
  const packages = readPackages().filter(({ isPublic }) => isPublic)
  const manifests = new Map(
    await Promise.all(
      packages.map(async (item) => {
        const text = await run('tar', ['-xOf', tarballOf(folder, item), 'package/package.json'])
        return /** @type {const} */ ([item.name, JSON.parse(text.output)])
      }),
    ),
  )
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    const file = packages.find(({ name }) => path === `${name}/-/package.tgz`)
    if (file) {
      createReadStream(tarballOf(folder, file)).pipe(response)
      return
    }
    const item = packages.find(({ name }) => path === name)
    if (!item) {
      response.writeHead(302, { location: `${upstream}${request.url}` }).end()
      return
    }
    const manifest = manifests.get(item.name)
    const dist = {
      tarball: `http://${request.headers.host}/${item.name}/-/package.tgz`,
      integrity: `sha512-${createHash('sha512')
        .update(readFileSync(tarballOf(folder, item)))
        .digest('base64')}`,
    }
    const versions = { [manifest.version]: { ...manifest, dist } }
    const body = { name: item.name, 'dist-tags': { latest: manifest.version }, versions }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
