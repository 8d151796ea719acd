import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { fileURLToPath } from 'node:url'

it('needs nothing of Node, which browsers do not have', async () => {
  const bundled = build({
    entryPoints: [fileURLToPath(new URL('inspection.ts', import.meta.url))],
    bundle: true,
    conditions: ['source'],
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  await expect(bundled).resolves.toMatchObject({ errors: [], warnings: [] })
})
