import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import { findRuntime } from '@servicekit/testing/runtimes'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { removeFolders, temporaryFolder } from './project.ts'
import { serveFolder } from './storefront.ts'

// Installs and runs the tools.
vi.setConfig({ testTimeout: 600_000 })

afterAll(removeFolders)

const run = promisify(execFile)
const fixtures = join(import.meta.dirname, '../../../fixtures')
const node = findRuntime('Node 22') ?? process.execPath

/** Copies a sample application, installs its packages and compiles its messages. */
async function application(name: string, sync: boolean) {
  const root = await temporaryFolder()
  await cp(join(fixtures, 'apps', name), root, { recursive: true })
  const options = {
    cwd: root,
    maxBuffer: 2 ** 26,
    env: {
      ...process.env,
      PATH: `${dirname(node)}:${process.env['PATH']}`,
      NODE_OPTIONS: '',
      NG_CLI_ANALYTICS: 'false',
    },
  }
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], options)
  const project = openProject({
    root,
    from: join(fixtures, 'projects/storefront/uilm'),
    languages: ['en-US', 'de-DE'],
    frozen: false,
  })
  await project.pull()
  const outDir = join(root, 'messages')
  await writeFiles(emitProgram(await project.load(), { outDir, storageKey: 'language', sync }))
  return { root, execute: (file: string, ...args: string[]) => run(file, args, options) }
}

describe.skipIf(!isDeep)('compiled messages', () => {
  it('run in a bundle of Metro, which Hermes compiles', async () => {
    const { root, execute } = await application('metro', true)
    await mkdir(join(root, 'dist'))
    const bundle = join(root, 'dist/main.js')
    const args = ['--out', bundle, '--platform', 'ios', '--dev', 'false', '--minify', 'false']
    await execute(node, 'node_modules/metro/src/cli.js', 'build', 'src/main.js', ...args)
    const { stdout } = await execute(node, '-e', `require('./dist/main.js'); console.log(shown)`)
    expect(stdout.trim()).toBe('en-US,Your cart,de-DE,Ihr Warenkorb,3 Artikel im Warenkorb')
    const platform = { linux: 'linux64', darwin: 'osx', win32: 'win64' }[
      process.platform as 'linux'
    ]
    const hermes = join(root, `node_modules/hermes-compiler/hermesc/${platform}-bin/hermesc`)
    await execute(hermes, '-w', '-emit-binary', '-out', `${bundle}.hbc`, bundle)
  })

  it.skipIf(isBrowserMissing())('run in an application of the Angular CLI', async () => {
    const { root, execute } = await application('angular', false)
    await execute(node, 'node_modules/@angular/cli/bin/ng.js', 'build')
    const site = await serveFolder(join(root, 'dist/browser'))
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ locale: 'en-US' })
      const loaded: string[] = []
      page.on('response', async (response) => loaded.push(await response.text().catch(() => '')))
      await page.goto(site.url)
      await page.getByText('3 items in your cart').waitFor()
      await page.waitForLoadState('networkidle')
      expect(loaded.join('')).not.toContain('Warenkorb')
      await page.getByRole('button', { name: 'Deutsch' }).click()
      await page.getByText('3 Artikel im Warenkorb').waitFor()
      expect(await page.getAttribute('h1', 'lang')).toBe('de-DE')
    } finally {
      await browser.close()
      await site.close()
    }
  })
})
