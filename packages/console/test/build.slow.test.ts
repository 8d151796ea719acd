import { isBrowserMissing } from '@servicekit/testing/browser'
import { uilm } from '@servicekit/unplugin/vite'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

const cli = fileURLToPath(new URL('../../cli/dist/bin.js', import.meta.url))

/** Returns the report of the command that the console names. */
async function checkSources(cwd: string): Promise<string> {
  const args = [cli, 'check', '--sources', 'src', '--format', 'json']
  // The command exits with 1 if it finds errors.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd }).catch(
    (error: { readonly stdout: string }) => error,
  )
  return stdout
}

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
    await console.page.getByRole('searchbox').fill('NAV_')
    const about = console.page.getByRole('row', { name: 'NAV_ABOUT' })
    const bytes = Object.values(translations['common']!).map(({ NAV_ABOUT = '' }) =>
      Buffer.byteLength(NAV_ABOUT),
    )
    await about.getByText(`${Math.min(...bytes)}–${Math.max(...bytes)} B`).waitFor()
    await filter.selectOption('Unused in code')
    await console.page.getByText('Keys that no chunk of the build ships').waitFor()
    await console.page.getByRole('row', { name: 'NAV_CART' }).waitFor()
    expect(await about.count()).toBe(0)
    await section.getByRole('button', { name: 'Remove the manifest' }).click()
    await about.waitFor()
    expect(console.problems).toEqual([])
  })

  it('finds keys that no code uses, and names the source of this information', async () => {
    const { page } = console
    writeFileSync(
      join(root, 'servicekit.config.ts'),
      `export default ${JSON.stringify({ baseUrl: console.platform.baseUrl, projectKey })}\n`,
    )
    const report = await checkSources(root)
    await console.open(`/translations?project=${projectKey}&search=NAV_&filter=unused`)
    await page.getByText(/^Keys for which no use is recorded\. 0 of \d+ keys/).waitFor()
    await page.getByText('npx servicekit check --sources src --format json > check.json').waitFor()
    const picker = page.getByLabel('Report of servicekit check, or manifest of a build')
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await picker.setInputFiles(file('other.json', '{"files": 0, "findings": []}'))
    await page.getByRole('alert').getByText('other.json is neither a report').waitFor()
    const about = page.getByRole('row', { name: 'NAV_ABOUT' })
    await about.waitFor()
    await picker.setInputFiles(file('check.json', report))
    await page.getByText('Keys that no code uses, according to the report').waitFor()
    await about.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'NAV_CART' }).getByRole('link').click()
    await page.getByText('nowhere, according to servicekit check').waitFor()
    expect(await console.violations()).toEqual([])
    // The browser keeps the report.
    await page.reload()
    await page.getByText('Keys that no code uses, according to the report').waitFor()
    expect(console.problems).toEqual([])
  })
})
