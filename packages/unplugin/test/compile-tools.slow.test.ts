import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { findRuntime } from '@servicekit/testing/runtimes'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { copyApp } from './framework-app.ts'
import { serveFolder } from './storefront.ts'

// Runs tools on a machine that may be busy.
vi.setConfig({ testTimeout: 600_000 })

const run = promisify(execFile)
const fixtures = join(import.meta.dirname, '../../../fixtures')
const node = findRuntime('Node 22') ?? process.execPath

/** Copies a sample application and compiles its messages. */
async function prepare(name: string, sync: boolean) {
  const root = await copyApp(name)
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const project = openProject({
    root,
    from: join(fixtures, 'projects/storefront/uilm'),
    languages: ['en-US', 'de-DE'],
  })
  await project.pull()
  const outDir = join(root, 'messages')
  await writeFiles(emitProgram(await project.load(), { outDir, storageKey: 'language', sync }))
  const env = { ...process.env, NODE_OPTIONS: '', NG_CLI_ANALYTICS: 'false' }
  return {
    root,
    execute: (file: string, ...args: string[]) =>
      run(file, args, { cwd: root, maxBuffer: 2 ** 26, env }),
    // The packages of an application are beside its sources.
    packageFile: (path: string) => join(fixtures, 'apps', name, 'node_modules', path),
  }
}

describe('compiled messages', () => {
  it('run in a bundle of Metro, which Hermes compiles', async () => {
    const { root, execute, packageFile } = await prepare('metro', true)
    await mkdir(join(root, 'dist'))
    // Metro reads only folders that it knows, as in a workspace.
    const config = `{ ...require('./metro.config.js'), watchFolders: ['${packageFile('')}'] }`
    await writeFile(join(root, 'copy.config.js'), `module.exports = ${config}`)
    const bundle = join(root, 'dist/main.js')
    const args = [
      '--out',
      bundle,
      '--platform',
      'ios',
      '--dev',
      'false',
      '--minify',
      'false',
      '--config',
      'copy.config.js',
    ]
    await execute(node, packageFile('metro/src/cli.js'), 'build', 'src/main.js', ...args)
    const { stdout } = await execute(node, '-e', `require('./dist/main.js'); console.log(shown)`)
    expect(stdout.trim()).toBe('en-US,Your cart,de-DE,Ihr Warenkorb,3 Artikel im Warenkorb')
    const platform = { linux: 'linux64', darwin: 'osx', win32: 'win64' }[
      process.platform as 'linux'
    ]
    const hermes = packageFile(`hermes-compiler/hermesc/${platform}-bin/hermesc`)
    await execute(hermes, '-w', '-emit-binary', '-out', `${bundle}.hbc`, bundle)
  })

  it.skipIf(isBrowserMissing())('run in an application of the Angular CLI', async () => {
    const { root, execute, packageFile } = await prepare('angular', false)
    await execute(node, packageFile('@angular/cli/bin/ng.js'), 'build')
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
