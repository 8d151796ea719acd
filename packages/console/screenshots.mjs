/**
 * Writes screenshots of every page to `.servicekit/screenshots`: light, dark, right to left,
 * narrow, empty, with an error, and with 20,000 keys. Build the packages first.
 *
 *     npm run screenshots [-- NAME …]
 */
import { startPlatform } from '@servicekit/platform/node'
import { withConsole } from '@servicekit/platform/console'
import { launchBrowser } from '@servicekit/workspace/browser'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeProject } from './large-project.mjs'

const root = import.meta.dirname
const target = join(root, '.servicekit/screenshots')
const wanted = process.argv.slice(2)
const temporary = mkdtempSync(join(tmpdir(), 'console-screenshots-'))
const storefront = join(root, '../../fixtures/projects/storefront')
const shop = 'P5c1e7a90d2f84b6e8a3f9d41'

/** @typedef {{ path: string, theme?: 'dark', language?: string, width?: number, offline?: boolean, open?: string }} Shot */

/** @type {Record<string, Shot>} */
const shots = {
  overview: { path: `/?project=${shop}` },
  'overview-dark': { path: `/?project=${shop}`, theme: 'dark' },
  'overview-rtl': { path: `/?project=${shop}`, language: 'ar' },
  'overview-narrow': { path: `/?project=${shop}`, width: 360 },
  'overview-empty': { path: '/?project=empty' },
  'overview-error': { path: `/?project=${shop}`, offline: true },
  'not-found': { path: `/nowhere?project=${shop}` },
  translations: { path: `/translations?project=${shop}` },
  'translations-dark': { path: `/translations?project=${shop}`, theme: 'dark' },
  'translations-rtl': { path: `/translations?project=${shop}`, language: 'ar' },
  'translations-narrow': { path: `/translations?project=${shop}`, width: 360 },
  'translations-key': { path: `/translations/cart/CART_ITEMS_other?project=${shop}` },
  'translations-key-narrow': {
    path: `/translations/cart/CART_ITEMS_other?project=${shop}`,
    width: 360,
  },
  'translations-publish': { path: `/translations?publish=&project=${shop}` },
  'translations-20000': { path: '/translations?project=large' },
  'translations-empty': { path: '/translations?project=empty' },
  'translations-error': { path: `/translations?project=${shop}`, offline: true },
  data: { path: `/data?project=${shop}` },
  'data-rtl': { path: `/data?project=${shop}`, language: 'ar' },
  'data-narrow': { path: `/data?project=${shop}`, width: 360 },
  'data-empty': { path: '/data?project=empty' },
  'data-error': { path: `/data?project=${shop}`, offline: true },
  'data-records': { path: `/data/records/Order?project=${shop}` },
  'data-records-dark': { path: `/data/records/Order?project=${shop}`, theme: 'dark' },
  'data-records-rtl': { path: `/data/records/Product?project=${shop}`, language: 'ar' },
  'data-records-narrow': { path: `/data/records/Product?project=${shop}`, width: 360 },
  'data-record-new': { path: `/data/records/Product?project=${shop}`, open: 'New record' },
  people: { path: `/people?project=${shop}` },
  'people-dark': { path: `/people?project=${shop}`, theme: 'dark' },
  'people-rtl': { path: `/people?project=${shop}`, language: 'ar' },
  'people-narrow': { path: `/people?project=${shop}`, width: 360 },
  'people-empty': { path: '/people?project=empty' },
  'people-error': { path: `/people?project=${shop}`, offline: true },
  'people-invite': { path: `/people?project=${shop}`, open: 'Invite user' },
  'people-organizations': { path: `/people/organizations?project=${shop}` },
  'people-roles': { path: `/people/roles?project=${shop}` },
  'people-permissions': { path: `/people/permissions?project=${shop}` },
  files: { path: `/files?project=${shop}` },
  'files-dark': { path: `/files?project=${shop}`, theme: 'dark' },
  'files-rtl': { path: `/files?project=${shop}`, language: 'ar' },
  'files-narrow': { path: `/files?project=${shop}`, width: 360 },
  'files-empty': { path: '/files?project=empty' },
  'files-error': { path: `/files?project=${shop}`, offline: true },
  webhooks: { path: `/webhooks?project=${shop}` },
  inbox: { path: `/inbox?project=${shop}` },
  requests: { path: `/requests?project=${shop}` },
}

const projectDir = [
  storefront,
  writeProject(temporary, 'empty', 0),
  writeProject(temporary, 'large', 20_000),
]
const platform = await startPlatform({
  projectDir,
  wrap: (started) => withConsole(started, { allowThisMachine: true }),
})
const browser = await launchBrowser()

/** Calls an operation of the interface as the console does. @param {string} path @param {unknown} body */
async function call(path, body) {
  const url = `${platform.baseUrl}/console/api/projects/${shop}/interface/${path}`
  const headers = {
    origin: platform.baseUrl,
    'x-service-key': shop,
    'content-type': 'application/json',
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}
try {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const draft = { language: 'de-DE', module: 'common', key: 'NAV_ABOUT', value: 'Wer wir sind' }
  await fetch(`${platform.baseUrl}/_platform/projects/${shop}/drafts`, {
    method: 'PUT',
    body: JSON.stringify([draft]),
  })
  for (const name of ['price-list.txt', 'opening-hours.txt']) {
    const file = { name, accessModifier: 'Private', projectKey: shop }
    const signed = await call('data/v4/Files/GetPreSignedUrlForUpload', file)
    const headers = { 'content-type': 'text/plain' }
    await fetch(signed.uploadUrl, { method: 'PUT', headers, body: `This is ${name}.` })
    shots[`files-${name}`] = { path: `/files/${signed.fileId}?project=${shop}` }
  }
  await call('iam/v4/iam/users/create', { email: 'mara@storefront.example', password: '' })
  const listed = await call('idp/v1/Iam/GetUsers', { filter: { email: 'tom@' } })
  shots['people-user'] = { path: `/people/users/${listed.data[0].itemId}?project=${shop}` }
  for (const [name, shot] of Object.entries(shots)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const { path, theme, language, width = 1280, offline, open } = shot
    const context = await browser.newContext({
      locale: 'en-US',
      colorScheme: theme ?? 'light',
      reducedMotion: 'reduce',
      viewport: { width, height: 800 },
    })
    const page = await context.newPage()
    if (language) {
      await page.addInitScript(
        (code) => localStorage.setItem('servicekit-console-language', code),
        language,
      )
    }
    if (offline) await page.route('**/console/api/projects/**', (route) => route.abort())
    const started = performance.now()
    await page.goto(`${platform.baseUrl}/console${path}`)
    await page.waitForFunction(
      () => document.querySelector('main h1') && !document.querySelector('main [aria-busy="true"]'),
      undefined,
      { timeout: 120_000 },
    )
    if (open) await page.getByRole('button', { name: open, exact: true }).click()
    await page.screenshot({ path: join(target, `${name}.png`) })
    console.log(`${name} ${Math.round(performance.now() - started)} ms`)
    await context.close()
  }
} finally {
  await browser.close()
  await platform.close()
  rmSync(temporary, { recursive: true, force: true })
}
console.log(`Written to ${target}`)
