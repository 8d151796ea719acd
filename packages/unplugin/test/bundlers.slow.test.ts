import { readdir, readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapping } from 'node:module'
import { basename, join } from 'node:path'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { recordLeaks } from '@servicekit/testing/record-leaks'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Build, bundlers } from './bundlers.ts'
import { application, countLeaks, expected, pages, texts } from './leaks.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { serveFolder } from './storefront.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let browser: Browser | undefined
beforeAll(async () => {
  if (!isBrowserMissing()) browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await removeFolders()
})

const classic = new Set(['webpack', 'rspack'])

describe.each(Object.entries(bundlers))('a bundle of %s', (name, build: Build) => {
  let root: string
  beforeAll(async () => {
    root = await temporaryFolder()
    await writeApp(root, application)
    await writeSnapshot(root, texts)
    await build(root, {})
    await writeApp(root, { 'dist/index.html': pages[classic.has(name) ? 'classic' : 'module'] })
  })

  it('has packs in three languages, named by their content', async () => {
    const files = await readdir(join(root, 'dist'))
    const packs = files.filter((file) => /^uilm-[\da-f]{8}\.[\w-]+\.js$/.test(file))
    expect(packs.length % 3).toBe(0)
    expect(packs.length).toBeGreaterThanOrEqual(9)
    const all = await Promise.all(
      files
        .filter((file) => file.endsWith('.js'))
        .map((file) => readFile(join(root, 'dist', file), 'utf8')),
    )
    expect(all.join('\n')).not.toContain('~uilm-key')
  })

  it('has correct source maps', async () => {
    const folder = join(root, 'dist')
    const files = (await readdir(folder)).filter((file) => file.endsWith('.js'))
    const codes = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    // Position of a call in the page, after code that was edited.
    const at = codes.findIndex((code) => /name:\s*["'`]Ada/.test(code))
    const lines = codes[at]!.split(/(?=name:\s*["'`]Ada)/)[0]!.split('\n')
    const map = JSON.parse(await readFile(join(folder, `${files[at]}.map`), 'utf8')) as never
    const found = new SourceMap(map).findEntry(lines.length - 1, lines.at(-1)!.length)
    const { originalSource, originalLine } = found as SourceMapping
    expect(originalSource).toMatch(/src\/one\.js$/)
    const source = application['src/one.js']!.split('\n')
    expect(originalLine).toBe(source.findIndex((line) => line.includes(`name: 'Ada'`)))
  })

  it.skipIf(isBrowserMissing())(
    'shows its pages and downloads nothing else: no other language, key or page',
    async () => {
      const site = await serveFolder(join(root, 'dist'))
      const page = await browser!.newPage({ locale: 'de-DE' })
      const bodies: Promise<string>[] = []
      const pageErrors: string[] = []
      page.on('response', (response) => void bodies.push(response.text()))
      page.on('pageerror', (error) => void pageErrors.push(String(error)))

      await page.goto(`${site.url}#one`)
      const body = page.locator('body')
      await body.getByText('de-DE odd').waitFor()
      expect(await body.textContent()).toBe(expected('one', 'de-DE'))
      const downloaded = (await Promise.all(bodies)).join('\n')
      const leaks = countLeaks(downloaded, 'one', 'de-DE')
      recordLeaks(name, { languages: leaks.languages, unused: leaks.unused + leaks.pages })
      expect(leaks).toEqual({ languages: 0, unused: 0, pages: 0 })

      await page.evaluate(`setLanguage('ar-EG')`)
      expect(await body.textContent()).toBe(expected('one', 'ar-EG'))
      await page.evaluate(`open_('two')`)
      expect(await body.textContent()).toBe(expected('two', 'ar-EG'))
      await page.evaluate(`setLanguage('en-US')`)
      expect(await body.textContent()).toBe(expected('two', 'en-US'))
      expect(pageErrors).toEqual([])
      await page.context().close()
      await site.close()
    },
  )

  it('is the same in every checkout, byte for byte', async () => {
    const other = await temporaryFolder()
    await writeApp(other, application)
    await writeSnapshot(other, texts)
    await build(other, {})
    const [here, there] = [join(root, 'dist'), join(other, 'dist')]
    const names = (await readdir(there)).sort()
    expect((await readdir(here)).filter((name) => name !== 'index.html').sort()).toEqual(names)
    for (const name of names) {
      const [one, two] = await Promise.all(
        [here, there].map((at) => readFile(join(at, name), 'utf8')),
      )
      expect(two, name).toBe(one)
      expect(two, name).not.toContain(basename(other))
    }
  })

  it('fails for an unknown key or module', async () => {
    await writeApp(root, {
      'src/wrong.js': `import { KEY_0O } from '~uilm/even'\nexport const wrong = KEY_0O()\n`,
    })
    const main = await readFile(join(root, 'src/main.js'), 'utf8')
    await writeApp(root, {
      'src/main.js': `import { wrong } from './wrong.js'\n${main}\nglobalThis.wrong = wrong\n`,
    })
    await expect(build(root, {})).rejects.toThrow(
      /src\/wrong\.js:1:10: ~uilm\/even has no key KEY_0O\. Did you mean KEY_00\?/,
    )
    await writeApp(root, {
      'src/wrong.js': `import { A } from '~uilm/shop'\nexport const wrong = A()\n`,
    })
    await expect(build(root, {})).rejects.toThrow(
      /~uilm\/shop is not in the translations. Modules: ~uilm\/even, ~uilm\/odd/,
    )
  })
})
