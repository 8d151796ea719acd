import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** What a page gets for this code: its size, and the files that it is made of. */
async function bundle(contents: string, platform: 'browser' | 'node' = 'browser') {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, sourcefile: 'page.ts' },
    bundle: true,
    format: 'esm',
    platform,
    conditions: ['source'],
    target: 'es2022',
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  const files = Object.entries(output!.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file)
  return { files, gz: gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength }
}

const whole = `import { createClient } from '@servicekit/client'
globalThis.client = createClient({ baseUrl: location.origin, projectKey: 'P1' })`
const part = `import { createCore } from '@servicekit/client'
import { getFile } from '@servicekit/client/localization'
const core = createCore({ baseUrl: location.origin, projectKey: 'P1' })
globalThis.texts = getFile(core, { language: 'de-DE', module: 'auth' })`

describe.each([
  ['the whole client', whole, 6450],
  ['one operation', part, 5700],
])('in a browser, %s', (_, code, limit) => {
  it('brings no server and no validator along', async () => {
    const { files } = await bundle(code)
    expect(files.join('\n')).toContain('client/src/core.ts')
    expect(files.filter((file) => /undici|zod|node:/.test(file))).toEqual([])
    // Of the contract, the few routes that are sent and the limits that are checked.
    expect(files.filter((file) => /contract\//.test(file)).map((file) => file.split('/').at(-1)))
      .toMatchInlineSnapshot(`
      [
        "route.ts",
        "routes.ts",
        "limits.ts",
      ]
    `)
  })

  it(`weighs at most ${limit} bytes`, async () => {
    const { gz } = await bundle(code)
    expect(gz).toBeLessThanOrEqual(limit)
    // A gate far above what is measured would let anything through.
    expect(gz).toBeGreaterThan(limit * 0.95)
  })
})

it('costs less for one operation than for all', async () => {
  const [all, one] = await Promise.all([bundle(whole), bundle(part)])
  expect(one.gz).toBeLessThan(all.gz)
  expect(one.files.some((file) => file.endsWith('client/src/data.ts'))).toBe(false)
})

it('would see undici: on a server it is there', async () => {
  const { files } = await bundle(`export { createClient } from '@servicekit/client'`, 'node')
  expect(files.some((file) => file.includes('/undici/'))).toBe(true)
})
