import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CatalogOptions, openProject, type Source } from '../src/index.ts'
import { endOf, runChild } from '@servicekit/testing/child-program'
import { bytesIn, temporaryFolder } from '@servicekit/testing/folder'
import { storefrontSource } from './storefront.ts'

const forbidden: Source = {
  name: 'a source that must not be asked',
  list: () => Promise.reject(new Error('it was asked for its list')),
  read: () => Promise.reject(new Error('it was asked for a file')),
}

async function committed(): Promise<string> {
  const root = await temporaryFolder()
  await openProject({ root }, { source: await storefrontSource() }).pull()
  return root
}

describe('a build from committed translations', () => {
  it('sends no request to its source', async () => {
    const root = await committed()
    const project = openProject({ root }, { source: forbidden })
    const before = await bytesIn(join(root, 'uilm'))
    const model = await project.load()
    await project.writeTypes(model)
    expect(model.modules).toHaveLength(8)
    expect(await bytesIn(join(root, 'uilm'))).toEqual(before)
    // The source fails on every request.
    await expect(project.pull()).rejects.toThrow('it was asked for its list')
  })

  it('opens no socket and resolves no host name', { timeout: 60_000 }, async () => {
    const root = await committed()
    const code = `
      import dns from 'node:dns'
      import net from 'node:net'
      import http from 'node:http'
      import { syncBuiltinESMExports } from 'node:module'
      const touched = (what) => () => {
        process.stdout.write('touched ' + what)
        process.exit(9)
      }
      net.Socket.prototype.connect = touched('a socket')
      for (const name of ['connect', 'createConnection']) net[name] = touched('net')
      for (const name of ['lookup', 'resolve', 'resolve4']) dns[name] = touched('dns')
      for (const name of ['lookup', 'resolve']) dns.promises[name] = touched('dns')
      http.request = touched('http')
      globalThis.fetch = touched('fetch')
      syncBuiltinESMExports()
      const { openProject } = await import('../src/index.ts')
      const [command] = process.argv.slice(1)
      const project = openProject(
        { root: ${JSON.stringify(root)}, baseUrl: 'http://127.0.0.1:9', projectKey: 'P1' },
        { environment: { CI: 'true' } },
      )
      if (command === 'pull') await project.pull()
      const model = await project.load()
      await project.writeTypes(model)
      process.stdout.write(JSON.stringify(model.modules.length))`
    expect(await endOf(runChild(code))).toEqual({ code: 0, output: '8', errors: '' })
    // Proves that the patches detect a request.
    const { code: exit, output } = await endOf(runChild(code, ['pull']))
    expect(output).toMatch(/^touched /)
    expect(exit).toBe(9)
  })
})

describe('a project without a source', () => {
  it('reports the missing option', async () => {
    const root = await temporaryFolder()
    const pull = (options: CatalogOptions) => {
      const project = openProject({ root, ...options }, { environment: {} })
      return (async () => project.pull())()
    }
    expect(openProject({ root }, { environment: {} }).hasSource).toBe(false)
    await expect(pull({})).rejects.toThrow(/^baseUrl is required[\s\S]*SERVICEKIT_URL/)
    await expect(pull({ baseUrl: 'http://127.0.0.1:9' })).rejects.toThrow(
      /^projectKey is required[\s\S]*SERVICEKIT_PROJECT_KEY/,
    )
  })
})
