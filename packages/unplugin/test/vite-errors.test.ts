import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isDeep } from '@servicekit/testing/is-deep'
import { takeWarnings } from '@servicekit/testing/warnings'
import { build, createLogger, createServer as createVite } from 'vite'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { UilmOptions } from '../src/index.ts'
import { uilm } from '../src/vite.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

afterAll(removeFolders)

const texts = {
  'en-US/auth': { SIGN_IN: 'Sign in', GREETING: 'Hello {{name}}', 'sort-by': 'Sort by' },
  'de-DE/auth': { SIGN_IN: 'Anmelden', GREETING: 'Hallo {{name}}', 'sort-by': 'Sortieren' },
}

/** Creates an application with a committed snapshot. */
async function application(main: string, files = texts): Promise<string> {
  const root = await temporaryFolder()
  await writeApp(root, { 'package.json': '{"type": "module"}', 'src/main.js': main })
  if (Object.keys(files).length > 0) await writeSnapshot(root, files)
  return root
}

/** Returns the error message of a build; undefined if it succeeds. */
async function buildIt(root: string, options: UilmOptions = {}): Promise<string | undefined> {
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [uilm({ root, ...options })],
      build: { target: 'esnext', rollupOptions: { input: join(root, 'src/main.js') } },
    })
    return undefined
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
  }
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(file))
  return hash.digest('hex')
}

/** Returns a URL where no server listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

const rounds = isDeep ? 20 : 3
const main = `import { SIGN_IN } from '~uilm/auth'\nglobalThis.show?.(SIGN_IN())\n`

describe('a build from committed translations', () => {
  it('opens no socket, and is byte-identical each time', async () => {
    const root = await application(main)
    const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(() => {
      throw new Error('a socket was opened')
    })
    const hashes = new Set<string>()
    for (let round = 0; round < rounds; round++) {
      await rm(join(root, 'dist'), { recursive: true, force: true })
      const options = { baseUrl: 'http://service.test', projectKey: 'P1' }
      expect(await buildIt(root, options)).toBeUndefined()
      hashes.add(await hashOf(join(root, 'dist')))
    }
    expect(connect).not.toHaveBeenCalled()
    expect(hashes.size).toBe(1)
  })

  it('explains how to create a missing snapshot', async () => {
    const root = await application(main, {} as typeof texts)
    expect(await buildIt(root)).toMatch(
      /No committed translations found.*uilm\.lock\.json.*servicekit pull/s,
    )
  })

  it('fails for a translation that was edited without the lock file', async () => {
    const root = await application(main)
    await writeFile(join(root, 'uilm/de-DE/auth.json'), '{\n  "SIGN_IN": "Los"\n}\n')
    expect(await buildIt(root)).toMatch(/de-DE\/auth\.json/)
  })
})

describe('a build that cannot reach the service', () => {
  it('has the same result with committed translations, and fails only without', async () => {
    const baseUrl = await deadAddress()
    const root = await application(main)
    expect(await buildIt(root, { baseUrl, projectKey: 'P1' })).toBeUndefined()
    const empty = await application(main, {} as typeof texts)
    const message = await buildIt(empty, { baseUrl, projectKey: 'P1' })
    expect(message).toContain(baseUrl)
    expect(message).toMatch(/\n *Run npx servicekit explain REQUEST_FAILED\n/)
    expect(existsSync(join(empty, 'uilm'))).toBe(false)
  })
})

describe('development without the service', () => {
  const serve = async (root: string, lines: string[]) => {
    const customLogger = createLogger('silent')
    customLogger.warn = (message) => void lines.push(message)
    const server = await createVite({
      root,
      configFile: false,
      customLogger,
      plugins: [uilm({ root, baseUrl: await deadAddress(), projectKey: 'P1', pollMs: 0 })],
      server: { middlewareMode: true },
    })
    try {
      const loaded = (await server.ssrLoadModule('/src/main.js')) as unknown
      await expect.poll(() => lines.length).toBeGreaterThan(0)
      return loaded
    } finally {
      await server.close()
    }
  }

  it('begins with the committed translations, and says that the service does not respond', async () => {
    const root = await application(
      `import { SIGN_IN } from '~uilm/auth'\nexport default SIGN_IN()\n`,
    )
    const lines: string[] = []
    expect(await serve(root, lines)).toMatchObject({ default: 'Sign in' })
    expect(lines.join('\n')).toMatch(/ECONNREFUSED.*Using the committed translations/s)
  })

  it('fails without a snapshot', async () => {
    const root = await application(main, {} as typeof texts)
    await expect(serve(root, [])).rejects.toThrow(/connection failed/)
  })
})

describe('a build with an error in the source', () => {
  it('names the file, the key and the module', async () => {
    const root = await application(
      `import { SIGN_INN } from '~uilm/auth'\nglobalThis.show(SIGN_INN())\n`,
    )
    const message = await buildIt(root)
    expect(message).toContain('SIGN_INN')
    expect(message).toContain('auth')
    expect(message).toContain('main.js')
    expect(message).toContain('SIGN_IN?')
  })

  it('lists the known modules', async () => {
    const root = await application(`import { A } from '~uilm/shop'\nglobalThis.show(A())\n`)
    const message = await buildIt(root)
    expect(message).toContain('~uilm/shop is not in the translations')
    expect(message).toContain('~uilm/auth')
  })

  it('rejects an unknown option and suggests a similar one', () => {
    expect(() => uilm({ polMs: 1 } as UilmOptions)).toThrow(/pollMs/)
  })

  it('distinguishes similar keys', async () => {
    const root = await application(main, {
      'en-US/auth': { ...texts['en-US/auth'], sort$2d_by: 'x' },
      'de-DE/auth': texts['de-DE/auth'],
    } as typeof texts)
    // `$` is always escaped, so there is no clash.
    expect(await buildIt(root)).toBeUndefined()
  })

  it('rejects an output format without top-level await', async () => {
    const root = await application(main)
    const message = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [uilm({ root })],
      build: { lib: { entry: join(root, 'src/main.js'), formats: ['cjs'] } },
    }).then(
      () => 'built',
      (error: Error) => error.message,
    )
    expect(message).toMatch(/cjs.*inline/s)
  })
})

it('prints nothing to the console', () => {
  expect(takeWarnings()).toEqual([])
})
