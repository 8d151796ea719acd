import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import * as auth from '../src/auth.ts'
import * as storage from '../src/storage.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Bundles code for a page; returns its size and source files. */
async function bundle(
  contents: string,
  platform: 'browser' | 'node' = 'browser',
  more: readonly string[] = [],
) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, sourcefile: 'page.ts' },
    bundle: true,
    format: 'esm',
    platform,
    conditions: ['source', ...more],
    target: 'es2022',
    minify: true,
    metafile: true,
    write: false,
    splitting: true,
    outdir: 'out',
    logLevel: 'silent',
  })
  // Counts what is loaded at once, without dynamic imports.
  const entry = Object.keys(metafile.outputs).find((path) => path.endsWith('stdin.js'))!
  const loaded = new Set([entry])
  for (const path of loaded) {
    for (const { kind, path: next, external } of metafile.outputs[path]!.imports) {
      if (kind === 'import-statement' && !external) loaded.add(next)
    }
  }
  const files = [...loaded].flatMap((path) =>
    Object.entries(metafile.outputs[path]!.inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  )
  const gzOf = (some: typeof outputFiles): number =>
    some.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).byteLength, 0)
  const gz = gzOf(outputFiles.filter(({ path }) => [...loaded].some((one) => path.endsWith(one))))
  /** Includes dynamic imports. */
  const allGz = gzOf(outputFiles)
  return { files, gz, allGz }
}

const make = `const core = createCore({ baseUrl: location.origin, projectKey: 'P1' })`
/** Page that uses all functions of some groups, each by its name. */
const part = (...groups: readonly (readonly [name: string, group: object])[]): string => {
  const names = groups.map(([name, group]) => [name, Object.keys(group).join(', ')] as const)
  return `import { createCore } from '@servicekit/client/core'
${names.map(([name, all]) => `import { ${all} } from '@servicekit/client/${name}'`).join('\n')}
${make}
globalThis.parts = [core, ${names.map(([, all]) => all).join(', ')}]`
}
const whole = `import { createClient } from '@servicekit/client'
globalThis.client = createClient({ baseUrl: location.origin, projectKey: 'P1' })`

/** Largest size of a page's code when it loads, in bytes gzipped. */
const budgets: readonly [what: string, code: string, limit: number][] = [
  // With the renewal of sessions, which any page with a session needs.
  ['core and auth', part(['auth', auth]), 8_550],
  ['core, auth and storage', part(['auth', auth], ['storage', storage]), 12_700],
  ['the whole client', whole, 17_250],
]

describe.each(budgets)('in a browser, %s', (_, code, limit) => {
  it('contains no server code and no validator', async () => {
    const { files } = await bundle(code)
    expect(files.join('\n')).toContain('client/src/core.ts')
    const unwanted = /undici|zod|node:|client\/src\/(?:server|token)\.ts/
    expect(files.filter((file) => unwanted.test(file))).toEqual([])
    // From the contract, only routes, limits and the names of headers are included.
    const ofContract = files.filter((file) => file.includes('contract/'))
    expect(ofContract.filter((file) => !/src\/(?:routes?\/?|limits|service)/.test(file))).toEqual(
      [],
    )
  })

  it(`weighs at most ${limit} bytes`, async () => {
    expect((await bundle(code)).gz).toBeLessThanOrEqual(limit)
  })

  it('is the same program in development and in production', async () => {
    const [one, other] = await Promise.all([
      bundle(code, 'browser', ['development']),
      bundle(code, 'browser', ['production']),
    ])
    expect(one).toEqual(other)
  })
})

it('weighs at most 9.5 KiB with everything that a session loads', async () => {
  expect((await bundle(part(['auth', auth]))).allGz).toBeLessThanOrEqual(9.5 * 1024)
})

it('contains only what is used: reading a file needs no sessions or uploads', async () => {
  const code = `import { createCore } from '@servicekit/client'
import { getFile } from '@servicekit/client/localization'
${make}
globalThis.texts = getFile(core, { language: 'de-DE', module: 'auth' })`
  const { files, gz } = await bundle(code)
  expect(files.filter((file) => /session|storage|upload|iam/.test(file))).toEqual([])
  expect(gz).toBeLessThan(7.5 * 1024)
})

it('fails the build if client credentials would reach a browser', async () => {
  const code = `import { createServerClient } from '@servicekit/client/server'
globalThis.client = createServerClient({})`
  await expect(bundle(code)).rejects.toThrow('Could not resolve "@servicekit/client/server"')
  // On a server it is allowed.
  expect((await bundle(code, 'node')).files.join()).toContain('client/src/token.ts')
})

it('contains undici on a server, which the browser checks would detect', async () => {
  const { files } = await bundle(`export { createClient } from '@servicekit/client'`, 'node')
  expect(files.some((file) => file.includes('/undici/'))).toBe(true)
})
