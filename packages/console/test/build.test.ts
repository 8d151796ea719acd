import { isBrowserMissing } from '@servicekit/workspace/browser'
import { uilm } from '@servicekit/unplugin/vite'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('the build in the console', { timeout: 120_000 }, () => {
  const console = useConsole()
  const root = mkdtempSync(join(tmpdir(), 'console-build-'))
  const manifest = join(root, 'dist/uilm-manifest.json')

  afterAll(() => rmSync(root, { recursive: true, force: true }))

  async function buildApplication(): Promise<void> {
    mkdirSync(join(root, 'src'))
    writeFileSync(join(root, 'index.html'), '<script type="module" src="/src/main.js"></script>')
    writeFileSync(
      join(root, 'src/main.js'),
      "import { NAV_ABOUT } from '~uilm/common'\ndocument.title = NAV_ABOUT()\n",
    )
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [
        uilm({
          root,
          baseUrl: console.platform.baseUrl,
          projectKey,
          manifest: true,
          frozen: false,
        }),
      ],
      build: { target: 'esnext' },
    })
  }

  it('shows the bytes, files and pages of a message, and finds those that are in none', async () => {
    await buildApplication()
    const { chunks, translations } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      chunks: { files: string[] }[]
      translations: Record<string, Record<string, Record<string, string>>>
    }
    const [file] = chunks[0]!.files
    const german = translations['common']!['de-DE']!['NAV_ABOUT']!

    await console.open('/translations/common/NAV_ABOUT')
    const section = console.page.getByRole('region', { name: 'In the build' })
    const picker = section.getByLabel('Manifest of a build')
    await picker.setInputFiles({
      name: 'package.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"version":1}'),
    })
    await section.getByRole('alert').getByText('package.json is not a build manifest').waitFor()
    await picker.setInputFiles(manifest)
    await section.getByText(file!, { exact: true }).waitFor()
    await section.getByText('index.html', { exact: true }).waitFor()
    expect(await section.getByRole('alert').count()).toBe(0)
    const sizes = await section.locator('dl').innerText()
    expect(sizes.split(/\s+/)).toContain(String(Buffer.byteLength(german)))
    expect(sizes).toContain('de-DE')
    expect(await console.violations()).toEqual([])

    // The browser keeps the manifest.
    await console.page.reload()
    await section.getByText(file!, { exact: true }).waitFor()
    await console.open('/translations/common/NAV_CART')
    await section.getByText('No chunk ships it.').waitFor()

    const filter = console.page.getByRole('combobox', { name: 'Filter', exact: true })
    await filter.selectOption('Not in the build')
    await console.page.getByRole('searchbox').fill('NAV_')
    await console.page.getByRole('row', { name: 'NAV_CART' }).waitFor()
    expect(await console.page.getByRole('row', { name: 'NAV_ABOUT' }).count()).toBe(0)
    await section.getByRole('button', { name: 'Remove the manifest' }).click()
    await console.page.getByRole('row', { name: 'NAV_ABOUT' }).waitFor()
    expect(console.problems).toEqual([])
  })
})
