import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, expect, it, vi } from 'vitest'
import { uilm } from '../src/esbuild.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'

afterAll(removeFolders)

it('a single build sends no request, however long it takes', async () => {
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const root = await temporaryFolder()
    await writeSnapshot(root, { 'en-US/shop': { BUY: 'Buy now' } })
    await writeApp(root, {
      'src/main.js': `import { BUY } from '~uilm/shop'\nconsole.log(BUY())\n`,
    })
    await build({
      absWorkingDir: root,
      entryPoints: ['src/main.js'],
      bundle: true,
      format: 'esm',
      outdir: 'dist',
      logLevel: 'silent',
      plugins: [
        uilm({ root, baseUrl, projectKey: 'P' }),
        {
          name: 'takes a minute',
          setup(setup) {
            setup.onLoad({ filter: /main\.js$/ }, async () => {
              vi.advanceTimersByTime(60_000)
              // A request that the plugin sent has arrived before the last of these.
              for (let count = 0; count < 50; count++) await fetch(`${baseUrl}/ping`)
              return undefined
            })
          },
        },
      ],
    })
    expect(requested).toEqual(Array.from({ length: 50 }, () => '/ping'))
    expect(await readFile(join(root, 'dist/main.js'), 'utf8')).toContain('console.log')
  } finally {
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  }
})
