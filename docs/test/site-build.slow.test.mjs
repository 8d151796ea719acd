import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeReference } from '../generate/write-reference.mjs'
import { isBrowserMissing, launchBrowser } from '../../packages/testing/src/browser.mjs'
import { root, toolScript } from '../../packages/workspace/lib/root.mjs'
import { runNode } from '../../packages/workspace/lib/run.mjs'

const base = '/some/path/'

describe('the documentation site', () => {
  /** @type {string} */
  let folder
  /** HTML by path. @type {Map<string, string>} */
  let pages
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'servicekit-docs-'))
    await writeReference()
    const docs = join(root, 'docs')
    const vitepress = toolScript('vitepress', { from: docs })
    const args = ['build', '--base', base, '--outDir', folder]
    // It fails for a link to a page that does not exist.
    const { code, output } = await runNode([vitepress, ...args], { cwd: docs })
    expect(code, output).toBe(0)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    pages = new Map(
      files
        .filter((name) => name.endsWith('.html'))
        .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]),
    )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('links only to sections that exist, below its base path', () => {
    expect(pages.size).toBeGreaterThan(60)
    const dead = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => !/^https?:/.test(href))
        .filter((href) => {
          const { pathname, hash } = new URL(href, `http://site${posix.join(base, path)}`)
          if (!pathname.startsWith(base)) return true
          const target = pages.get(pathname.slice(base.length).replace(/(^|\/)$/, '$1index.html'))
          const id = decodeURIComponent(hash.slice(1))
          return target === undefined || (id !== '' && !target.includes(` id="${id}"`))
        })
        .map((href) => `${path}: ${href}`),
    )
    expect(dead).toEqual([])
  })

  it('shows results, and parameters as they are written', () => {
    expect(pages.get('comparison.html')).toContain('first-load-5')
    expect(pages.get('guides/plurals.html')).toContain('{{count}}')
  })

  it('has a list of its pages and their text for language models', () => {
    const list = readFileSync(join(folder, 'llms.txt'), 'utf8')
    const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !pages.has(path))).toEqual([])
    expect(links.length).toBe(pages.size - 1) // 404.html
    const full = readFileSync(join(folder, 'llms-full.txt'), 'utf8')
    expect(full).toContain("import { uilm } from '@servicekit/unplugin/vite'")
    expect(full).not.toMatch(/^<!-- (?:source|measured)/m)
  })

  describe.skipIf(isBrowserMissing())('its playground', () => {
    /** @type {import('playwright-core').Browser} */
    let browser
    /** @type {import('playwright-core').Page} */
    let page
    beforeAll(async () => {
      browser = await launchBrowser()
      page = await open('playground.html')
    })
    afterAll(() => browser.close())

    /** Opens a page of the built site. @param {string} path */
    async function open(path) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 950 } })
      const origin = 'http://site.test'
      await context.route(`${origin}/**`, (route) => {
        const file = join(folder, new URL(route.request().url()).pathname.slice(base.length))
        return existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404 })
      })
      const opened = await context.newPage()
      await opened.goto(`${origin}${base}${path}`)
      // Seven megabytes of TypeScript start in a worker before the first result.
      await opened.locator('.playground table').waitFor({ timeout: 0 })
      return opened
    }

    /** Returns the text of one of the three editors. @param {number} index */
    const textOf = async (index, shown = page) =>
      (await shown.locator('.playground section').nth(index).innerText()).replaceAll('\u00A0', ' ')
    const sizes = () => page.locator('.playground table tbody tr')
    /** Replaces the text of an editor. @param {string} name @param {string} text */
    async function write(name, text) {
      await page.getByRole('textbox', { name }).focus()
      await page.keyboard.press('ControlOrMeta+a')
      // The editor would put brackets around a selection.
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(text)
    }

    it('shows what each language costs, beside other libraries', async () => {
      await expect.poll(() => sizes().count()).toBe(3)
      for (const row of await sizes().allInnerTexts()) {
        const [language = '', ...bytes] = row.split('\t')
        const [servicekit = 0, paraglide = 0, i18next = 0] = bytes.map(Number)
        expect(['en', 'de', 'ar']).toContain(language)
        expect(servicekit).toBeGreaterThan(500)
        expect(servicekit).toBeLessThan(paraglide)
        expect(paraglide).toBeLessThan(i18next)
      }
    })

    it('shows the pack with the messages that the page uses, and no others', async () => {
      await page.getByRole('tab', { name: 'pack.de.js' }).click()
      await expect.poll(() => textOf(2)).toContain('Zur Kasse')
      await page.getByRole('tab', { name: 'pack.en.js' }).click()
      await expect.poll(() => textOf(2)).toContain('Check out')
      expect(await textOf(2)).not.toContain('Nobody downloads')
    })

    it('reports a missing argument, an unknown key and invalid JSON, and forgets them', async () => {
      const errors = page.locator('.playground .errors')
      await write('Code', "import { welcome } from '~uilm/app'\ndocument.title = welcome()\n")
      await expect.poll(() => errors.innerText()).toContain('2: Expected 1 arguments, but got 0')
      await write('Code', "import { welcom } from '~uilm/app'\ndocument.title = welcom()\n")
      await expect.poll(() => errors.innerText()).toMatch(/1: .*no exported member.* 'welcom'/)
      await write('Code', "import { greeting } from '~uilm/app'\ndocument.title = greeting()\n")
      await write('Messages', 'greeting: Good morning')
      await expect.poll(() => errors.innerText()).toContain('en.json: ')
      await write('Messages', '{ "greeting": "Good morning" }')
      await expect.poll(() => errors.count()).toBe(0)
    })

    it('keeps what was written in its address', async () => {
      await expect.poll(() => textOf(2)).toContain('Good morning')
      const { hash } = new URL(page.url())
      const again = await open(`playground.html${hash}`)
      await expect.poll(() => textOf(0, again)).toContain('greeting')
      await expect.poll(() => textOf(1, again)).toContain('greeting()')
      await expect.poll(() => again.locator('.playground table tbody tr').count()).toBe(3)
      expect(await again.locator('.playground .errors').count()).toBe(0)
      await again.context().close()
    })
  })
})
