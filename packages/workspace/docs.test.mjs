import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { isBrowserMissing, launchBrowser } from './browser.mjs'
import { writeReference } from './docs.mjs'

const isDeep = process.env['SERVICEKIT_DEEP'] === '1'

it.skipIf(!isDeep)(
  'has a page for each import, and for each operation its section',
  async () => {
    const out = mkdtempSync(join(tmpdir(), 'servicekit-reference-'))
    onTestFinished(() => rmSync(out, { recursive: true }))
    expect(await writeReference(out)).toBe(true)
    const page = (/** @type {string} */ path) => readFileSync(join(out, path), 'utf8')
    expect(page('modules/_servicekit_client_storage.html')).toContain('@servicekit/client/storage')
    expect(page('modules/_servicekit_client_core.html')).toContain('createCore')
    expect(page('functions/_servicekit_client_storage.upload.html')).toContain('section 4.4')
    if (isBrowserMissing()) return
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const phone = await browser.newPage({ viewport: { width: 390, height: 800 } })
    await phone.goto(pathToFileURL(join(out, 'index.html')).href)
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
  },
  300_000,
)
