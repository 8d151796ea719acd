import { build } from 'esbuild'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, expect, it } from 'vitest'
import { fuzz, type Kit } from './fuzz/run.ts'

/*
 * A separate file that never loads undici: Node's fetch would otherwise use it, and undici
 * 7 crashes the process when a connection closes while a body waits to be read
 * (https://github.com/nodejs/undici/issues/5360).
 */

const count = isDeep ? 10_000 : 250
const folder = await mkdtemp(join(tmpdir(), 'servicekit-fuzz-'))
afterAll(() => rm(folder, { recursive: true }))

/** Bundles the client with these conditions. */
async function kitFor(name: string, conditions: readonly string[]): Promise<Kit> {
  const outfile = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL('fuzz/entry.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['source', ...conditions],
    target: 'es2022',
    logLevel: 'silent',
  })
  return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Kit
}

it(
  `over fetch, ${count} hostile responses end in typed errors or right values, in time, without a secret`,
  async () => {
    expect.hasAssertions()
    const [full, lean] = [await kitFor('full', ['deno']), await kitFor('lean', ['browser'])]
    const variants = [
      { name: 'fetch', kit: full, options: {}, blobs: full.fetchBlobs() },
      {
        name: 'lean',
        kit: lean,
        options: {},
        blobs: lean.withXhrUploads(lean.fetchBlobs()),
        isLean: true,
      },
    ]
    const codes = ['REQUEST_REFUSED', 'REQUEST_FAILED', 'RESPONSE_TOO_LARGE']
    await fuzz(variants, count, codes, true)
  },
  isDeep ? 1_200_000 : 60_000,
)
