import { join } from 'node:path'
import { rspack } from '@rspack/core'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import webpack from 'webpack'
import { uilm as forRspack } from '../src/rspack.ts'
import { uilm as forWebpack } from '../src/webpack.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { serveFolder } from './storefront.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const texts = Object.fromEntries(
  ['en-US', 'de-DE'].map((language) => [
    `${language}/shop`,
    Object.fromEntries(['A', 'B', 'BOTH', 'LATER'].map((key) => [key, `${language} ${key}`])),
  ]),
)

const sources = {
  'package.json': '{"type": "module"}',
  'src/a.js': `import { A, BOTH } from '~uilm/shop'
const show = (text) => { document.body.textContent += text + ';' }
show(A()); show(BOTH())
import('./later.js').then(({ later }) => show(later()))
`,
  'src/b.js': `import { B, BOTH } from '~uilm/shop'
document.body.textContent += B() + ';' + BOTH() + ';'
`,
  'src/later.js': `import { LATER, BOTH } from '~uilm/shop'
export const later = () => LATER() + '+' + BOTH()
`,
}

describe.skipIf(isBrowserMissing())('chunks that are split', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await removeFolders()
  })

  it.each(['webpack', 'rspack'] as const)(
    'by %s await their packs, with one runtime for two entries and shared chunks',
    async (name) => {
      const root = await temporaryFolder()
      await writeApp(root, sources)
      await writeSnapshot(root, texts)
      const options = { root }
      const config = {
        mode: 'production' as const,
        context: root,
        entry: { a: './src/a.js', b: ['./src/b.js'] },
        output: {
          path: join(root, 'dist'),
          filename: '[name].[contenthash].js',
          publicPath: '/',
        },
        optimization: {
          minimize: false,
          runtimeChunk: 'single' as const,
          splitChunks: { chunks: 'all' as const, minSize: 0 },
        },
      }
      const compiler =
        name === 'webpack'
          ? webpack({ ...config, plugins: [forWebpack(options)] })!
          : (rspack({ ...config, plugins: [forRspack(options)] }) as unknown as webpack.Compiler)
      const stats = await new Promise<webpack.Stats>((done, fail) =>
        compiler.run((error, stats) => (error ? fail(error) : done(stats!))),
      )
      const { errors, warnings, entrypoints } = stats.toJson({
        all: false,
        entrypoints: true,
        errors: true,
        warnings: true,
      })
      expect([errors, warnings]).toEqual([[], []])
      const files = new Set(
        Object.values(entrypoints!).flatMap(({ assets }) => assets!.map((asset) => asset.name)),
      )
      const scripts = [...files].map((file) => `<script src="/${file}"></script>`).join('')
      await writeApp(root, {
        'dist/index.html': `<!doctype html><link rel="icon" href="data:,"><body></body>${scripts}`,
      })

      const site = await serveFolder(join(root, 'dist'))
      const page = await browser.newPage({ locale: 'de-DE' })
      const pageErrors: string[] = []
      page.on('pageerror', (error) => void pageErrors.push(String(error)))
      await page.goto(site.url)
      const body = page.locator('body')
      await body.getByText('LATER').waitFor()
      expect((await body.textContent())!.split(';').sort().join(';')).toBe(
        ';de-DE A;de-DE B;de-DE BOTH;de-DE BOTH;de-DE LATER+de-DE BOTH',
      )
      expect(pageErrors).toEqual([])
      await page.context().close()
      await site.close()
    },
  )
})
