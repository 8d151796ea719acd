import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { control } from './control-client.ts'
import { storefront } from './projects.ts'

let platform: Platform
let project: string

beforeAll(async () => {
  platform = await createPlatform({ projects: [storefront] })
  const { body } = await control(platform, 'GET', '/projects')
  project = (body as { key: string }[])[0]!.key
})
afterAll(() => platform?.close())

const open = async (path: string) => {
  const url = `http://platform.local/_platform/projects/${project}/keys/${path}`
  const response = await platform.fetch(new Request(url))
  return { response, html: await response.text() }
}

it('shows the translations of a key in every language and focuses the given one', async () => {
  const { response, html } = await open('common/NAV_ABOUT?language=de-DE')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const language of ['en-US', 'ar-EG', 'bn-BD', 'de-DE', 'fr-FR', 'ja-JP']) {
    expect(html).toContain(`lang="${language}"`)
  }
  expect(/<textarea[^>]*autofocus[^>]*>\s*([^<]*)/.exec(html)?.[1]).toBe('Über uns')
  const policy = response.headers.get('content-security-policy')!
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)![1]
  expect(html.match(/<script[^>]*>/g)).toEqual([`<script type="module" nonce="${nonce}">`])
})

it('escapes keys and translations', async () => {
  const key = `</script><img src=x onerror=alert(1)>"/%2F?#`
  const value = `\n</textarea><script>alert(2)</script>`
  const edits = [{ language: 'en-US', module: 'common', key, value }]
  expect((await control(platform, 'PUT', `/projects/${project}/texts`, edits)).status).toBe(200)
  const { response, html } = await open(`common/${encodeURIComponent(key)}`)
  expect(response.status).toBe(200)
  expect(html).not.toContain('<img')
  expect(html).not.toContain('<script>alert')
  // HTML parsers drop one leading line break.
  expect(html).toContain('>\n\n&lt;/textarea&gt;&lt;script&gt;')
})

it('shows all plural forms', async () => {
  const { html } = await open('cart/CART_ITEMS?language=ar-EG')
  const shown = [...html.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*lang="ar-EG"[^>]*dir="(\w+)"/g)]
  expect(shown.map(([, key, direction]) => `${key} ${direction}`)).toEqual(
    ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => `CART_ITEMS_${form} rtl`),
  )
  expect(html.match(/autofocus/g)).toHaveLength(1)
  // The language of keys is not one to edit.
  expect(html).not.toContain('lang="key"')
})

it('shows the plural forms of each language with sample numbers, and missing ones as empty', async () => {
  const { html } = await open('cart/CART_ITEMS')
  const labels = (code: string) =>
    [...html.matchAll(new RegExp(`<label for="${code}-[^"]*">\\s*([^<]*)<small>([^<]*)`, 'g'))].map(
      ([, form, numbers]) => `${form}${numbers}`,
    )
  expect(labels('en-US')).toEqual(['one 1', 'other 0, 2, 3 …'])
  expect(labels('ja-JP')).toEqual(['other 0, 1, 2 …'])
  expect(labels('ar-EG')[3]).toBe('few 3, 4, 5 …')
  expect(html).not.toContain('[ KEY MISSING ]')
  // Two languages may be marked as default; the first one counts.
  expect(html.match(/, default</g)).toHaveLength(1)
})

it('responds with an escaped 404 page for an unknown key', async () => {
  const { response, html } = await open('common/%3Cb%3ENOPE')
  expect(response.status).toBe(404)
  expect(html).toContain('There is no such key.')
  expect(html).toContain('&lt;b&gt;NOPE')
  expect((await open('nope/NAV_ABOUT')).response.status).toBe(404)
})
