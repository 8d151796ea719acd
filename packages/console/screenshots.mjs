/**
 * Writes screenshots of every page to `.servicekit/screenshots`: light, dark, right to left,
 * narrow, empty, with an error, and with 20,000 keys. Build the packages first.
 *
 *     npm run screenshots [-- NAME …]
 */
import { startPlatform } from '@servicekit/platform/node'
import { withConsole } from '@servicekit/platform/console'
import { launchBrowser } from '@servicekit/testing/browser'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApplication } from './application.mjs'
import { writeProject } from './large-project.mjs'

const root = import.meta.dirname
const target = join(root, '.servicekit/screenshots')
const wanted = process.argv.slice(2)
const temporary = mkdtempSync(join(tmpdir(), 'console-screenshots-'))
const storefront = join(root, '../../fixtures/projects/storefront')
const shop = 'P5c1e7a90d2f84b6e8a3f9d41'

/** @typedef {{ path: string, theme?: 'dark', language?: string, width?: number, offline?: boolean, signedOut?: boolean, open?: string, unfold?: string, wait?: string }} Shot */

/** @type {Record<string, Shot>} */
const shots = {
  overview: { path: `/?project=${shop}` },
  'overview-dark': { path: `/?project=${shop}`, theme: 'dark' },
  'overview-rtl': { path: `/?project=${shop}`, language: 'ar' },
  'overview-narrow': { path: `/?project=${shop}`, width: 360 },
  'overview-empty': { path: '/?project=empty' },
  'overview-20000': { path: '/?project=large' },
  'overview-error': { path: `/?project=${shop}`, offline: true },
  'sign-in': { path: '/', signedOut: true },
  'sign-in-dark': { path: '/', signedOut: true, theme: 'dark' },
  'sign-in-rtl': { path: '/', signedOut: true, language: 'ar' },
  'sign-in-narrow': { path: '/', signedOut: true, width: 360 },
  'no-project': { path: '/?project=unknown' },
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
  'translations-history': {
    path: `/translations/common/NAV_CART?project=${shop}`,
    unfold: 'History',
  },
  'translations-history-dark': {
    path: `/translations/common/NAV_CART?project=${shop}`,
    unfold: 'History',
    theme: 'dark',
  },
  'translations-history-rtl': {
    path: `/translations/common/NAV_CART?project=${shop}`,
    unfold: 'السجل',
    language: 'ar',
  },
  'translations-history-removed': {
    path: `/translations/common/NAV_SALE?project=${shop}`,
    unfold: 'History',
  },
  'translations-build': {
    path: `/translations/common/NAV_CART?project=${shop}`,
    unfold: 'In the build',
  },
  'translations-menu': { path: `/translations?project=${shop}`, unfold: 'Actions ▾' },
  'translations-publish': { path: `/translations?publish=&project=${shop}` },
  'translations-20000': { path: '/translations?project=large' },
  'translations-empty': { path: '/translations?project=empty' },
  'translations-error': { path: `/translations?project=${shop}`, offline: true },
  data: { path: `/data?project=${shop}` },
  'data-dark': { path: `/data?project=${shop}`, theme: 'dark' },
  'data-rtl': { path: `/data?project=${shop}`, language: 'ar' },
  'data-narrow': { path: `/data?project=${shop}`, width: 360 },
  'data-empty': { path: '/data?project=empty' },
  'data-error': { path: `/data?project=${shop}`, offline: true },
  'data-records': { path: `/data/records/Order?project=${shop}` },
  'data-records-dark': { path: `/data/records/Order?project=${shop}`, theme: 'dark' },
  'data-records-rtl': { path: `/data/records/Product?project=${shop}`, language: 'ar' },
  'data-records-narrow': { path: `/data/records/Product?project=${shop}`, width: 360 },
  'data-records-empty': { path: `/data/records/Newsletter?project=${shop}` },
  'data-records-error': { path: `/data/records/Order?project=${shop}`, offline: true },
  'data-diagram': { path: `/data?project=${shop}`, unfold: 'Diagram' },
  'data-diagram-dark': { path: `/data?project=${shop}`, unfold: 'Diagram', theme: 'dark' },
  'data-diagram-narrow': { path: `/data?project=${shop}`, unfold: 'Diagram', width: 360 },
  'data-query': { path: `/data/query?project=${shop}` },
  'data-query-dark': { path: `/data/query?project=${shop}`, theme: 'dark' },
  'data-query-rtl': { path: `/data/query?project=${shop}`, language: 'ar', open: 'تشغيل' },
  'data-query-result': { path: `/data/query?project=${shop}`, open: 'Run' },
  'data-query-error': { path: `/data/query?project=${shop}`, offline: true },
  'data-query-narrow': { path: `/data/query?project=${shop}`, width: 360 },
  'data-record-new': { path: `/data/records/Product?project=${shop}`, open: 'New record' },
  'data-schema-new': { path: `/data?project=${shop}`, open: 'New schema' },
  'data-schema-edit': { path: `/data?project=${shop}`, open: 'Edit Category' },
  'data-schema-edit-narrow': { path: `/data?project=${shop}`, open: 'Edit Category', width: 360 },
  'data-schema-publish': { path: `/data?project=${shop}`, open: 'Publish schemas' },
  'data-schema-publish-dark': {
    path: `/data?project=${shop}`,
    open: 'Publish schemas',
    theme: 'dark',
  },
  'data-schema-publish-rtl': {
    path: `/data?project=${shop}`,
    open: 'نشر المخططات',
    language: 'ar',
  },
  people: { path: `/people?project=${shop}` },
  'people-dark': { path: `/people?project=${shop}`, theme: 'dark' },
  'people-rtl': { path: `/people?project=${shop}`, language: 'ar' },
  'people-narrow': { path: `/people?project=${shop}`, width: 360 },
  'people-empty': { path: '/people?project=empty' },
  'people-error': { path: `/people?project=${shop}`, offline: true },
  'people-invite': { path: `/people?project=${shop}`, open: 'Invite user' },
  'people-organizations': { path: `/people/organizations?project=${shop}` },
  'people-organizations-dark': { path: `/people/organizations?project=${shop}`, theme: 'dark' },
  'people-organizations-rtl': { path: `/people/organizations?project=${shop}`, language: 'ar' },
  'people-organizations-narrow': { path: `/people/organizations?project=${shop}`, width: 360 },
  'people-roles': { path: `/people/roles?project=${shop}` },
  'people-permissions': { path: `/people/permissions?project=${shop}` },
  files: { path: `/files?project=${shop}` },
  'files-dark': { path: `/files?project=${shop}`, theme: 'dark' },
  'files-rtl': { path: `/files?project=${shop}`, language: 'ar' },
  'files-narrow': { path: `/files?project=${shop}`, width: 360 },
  'files-empty': { path: '/files?project=empty' },
  'files-error': { path: `/files?project=${shop}`, offline: true },
  'tools-agents': { path: `/tools/agents?project=${shop}` },
  'tools-knowledge': { path: `/tools/knowledge?project=${shop}` },
  'tools-knowledge-narrow': { path: `/tools/knowledge?project=${shop}`, width: 360 },
  'tools-tool': { path: `/tools/tools/mail?project=${shop}` },
  'tools-tool-narrow': { path: `/tools/tools/mail?project=${shop}`, width: 360 },
  'webhooks-settings': { path: `/webhooks/settings?project=${shop}` },
  'webhooks-settings-narrow': { path: `/webhooks/settings?project=${shop}`, width: 360 },
  'webhooks-settings-dark': { path: `/webhooks/settings?project=${shop}`, theme: 'dark' },
  'webhooks-settings-rtl': { path: `/webhooks/settings?project=${shop}`, language: 'ar' },
  'webhooks-receiver': { path: `/webhooks/receiver?project=${shop}` },
  'workbench-request': {
    path: `/workbench?project=${shop}`,
    open: '/localization/v4/Language/Gets',
  },
  'workbench-faults': { path: `/workbench/faults?project=${shop}` },
  'workbench-faults-narrow': { path: `/workbench/faults?project=${shop}`, width: 360 },
  'workbench-clock': { path: `/workbench/clock?project=${shop}` },
  'workbench-transfer': { path: `/workbench/transfer?project=${shop}` },
}
for (const [name, open] of /** @type {const} */ ([
  ['add', 'Add a key, module or language'],
  ['translate', 'Translate what is missing'],
  ['replace', 'Find and replace'],
  ['import', 'Import files'],
  ['export', 'Export files'],
])) {
  const path = `/translations?project=${shop}`
  shots[`translations-${name}`] = { path, unfold: 'Actions ▾', open }
  shots[`translations-${name}-narrow`] = { path, unfold: 'Actions ▾', open, width: 360 }
}
const looks = /** @type {const} */ ({
  dark: { theme: 'dark' },
  rtl: { language: 'ar' },
  narrow: { width: 360 },
})
for (const page of ['requests', 'faults', 'clock', 'transfer']) {
  const path = `/workbench${page === 'requests' ? '' : `/${page}`}?project=${shop}`
  for (const [name, look] of Object.entries(looks))
    shots[`workbench-${page}-${name}`] = { path, ...look }
}
for (const page of ['tasks', 'webhooks', 'inbox', 'tools', 'workbench']) {
  shots[page] = { path: `/${page}?project=${shop}` }
  shots[`${page}-dark`] = { path: `/${page}?project=${shop}`, theme: 'dark' }
  shots[`${page}-rtl`] = { path: `/${page}?project=${shop}`, language: 'ar' }
  shots[`${page}-narrow`] = { path: `/${page}?project=${shop}`, width: 360 }
  shots[`${page}-empty`] = { path: `/${page}?project=empty` }
  shots[`${page}-error`] = { path: `/${page}?project=${shop}`, offline: true }
}

const projectDir = [
  storefront,
  writeProject(temporary, 'empty', 0),
  writeProject(temporary, 'large', 20_000),
]
const platform = await startPlatform({
  projectDir,
  outgoing: ['loopback'],
  wrap: (started) => withConsole(started, { allowThisMachine: true }),
})
const guarded = await startPlatform({
  projectDir: storefront,
  wrap: (started) => withConsole(started),
})
const application = await startApplication({ baseUrl: platform.baseUrl, projectKey: shop })
const browser = await launchBrowser()

/** Calls an operation of the interface as the console does. @param {string} path @param {unknown} body */
async function call(path, body) {
  const url = `${platform.baseUrl}/_platform/projects/${shop}/interface/${path}`
  const headers = {
    origin: platform.baseUrl,
    'x-service-key': shop,
    'content-type': 'application/json',
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

/** Calls a control route. @param {string} method @param {string} path @param {unknown} [body] */
const control = (method, path, body) =>
  fetch(`${platform.baseUrl}/_platform${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

try {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  // Nobody receives what the webhook sends.
  await control('PUT', `/projects/${shop}/webhook`, {
    url: 'http://127.0.0.1:9/hook',
    contentType: 'application/json',
    serviceWebhookSecret: { secret: 'a secret', headerKey: 'x-secret' },
    isDisabled: false,
    projectKey: shop,
  })
  const draft = { language: 'de-DE', module: 'common', key: 'NAV_ABOUT', value: 'Wer wir sind' }
  await control('PUT', `/projects/${shop}/drafts`, [{ ...draft, key: 'NAV_CART', value: 'Korb' }])
  await control('PUT', `/projects/${shop}/texts`, [
    { ...draft, key: 'NAV_SALE', value: 'Angebote' },
  ])
  await control('PUT', `/projects/${shop}/drafts`, [
    { module: 'common', key: 'NAV_SALE', isRemoved: true },
  ])
  await control('POST', `/projects/${shop}/publish`)
  await control('PUT', `/projects/${shop}/drafts`, [draft])
  const newsletter = {
    schemaName: 'Newsletter',
    querySchema: 'Newsletters',
    fields: [{ name: 'Subject', type: 'String', requiredOn: 'Insert' }],
  }
  await control('PUT', `/projects/${shop}/schemas/Newsletter`, {
    definition: newsletter,
    expected: null,
  })
  await control('POST', `/projects/${shop}/schemas/publish`)
  const { schemas } = await (await control('GET', `/projects/${shop}/schemas`)).json()
  const [product] = schemas
  await control('PUT', `/projects/${shop}/schemas/Product`, {
    ...product,
    readAccessLevel: 3,
    fields: product.fields
      .filter((/** @type {{ name: string }} */ { name }) => name !== 'Material')
      .map((/** @type {{ name: string }} */ field) =>
        field.name === 'Stock' ? { ...field, requiredOn: 'Insert' } : field,
      )
      .concat({ name: 'Supplier', type: 'String', description: 'Who makes it' }),
  })
  await control('PUT', `/projects/${shop}/schemas/Review`, {
    schemaName: 'Review',
    fields: [{ name: 'ProductId', type: 'ID', requiredOn: 'Insert' }],
  })
  await control('PUT', `/projects/${shop}/tools/mail`, {
    name: 'Mail',
    description: 'Sends mails to customers',
    auth: {
      type: 'oauth2',
      grantType: 'AUTHORIZATION_CODE',
      authorizationUrl: 'https://login.example.com/authorize',
      tokenUrl: 'https://login.example.com/token',
      clientId: 'shop',
      redirectUri: `${platform.baseUrl}/_platform/tools/callback`,
      scopes: ['mail.send'],
    },
  })
  await control('PUT', `/projects/${shop}/tools/weather`, { name: 'Weather forecast' })
  await call('tools/tutorial/mail', {
    tutorial:
      '# Send a mail\n\nRead the [manual](https://example.com) **first**.\n\n- one\n- two\n\n```\nsend()\n```',
  })
  const agentId = '6f1c1b52-9a0d-4b53-8f5e-2f4a4f7f2f10'
  await control('PUT', `/projects/${shop}/agents/${agentId}`, {
    name: 'Support',
    toolIds: ['mail', 'weather'],
  })
  for (const [question, answer] of [
    ['How do I return a parcel?', 'Print the label within 30 days, and bring it to any shop.'],
    ['When do you open?', 'At nine.'],
  ]) {
    await call('kb/qa', { project_key: shop, agent_id: agentId, question, answer })
  }
  await control('POST', '/faults', {
    method: 'POST',
    path: '/data/v4/gateway*',
    status: 503,
    times: 3,
  })
  await control('POST', '/faults', { path: '/nowhere/*', delayMs: 2000, drop: 'after' })
  const languages = `${platform.baseUrl}/localization/v4/Language/Gets?ProjectKey=${shop}`
  await fetch(languages, { headers: { 'x-service-key': shop } })
  await fetch(`${platform.baseUrl}/idp/v1/Iam/GetUsers`, {
    method: 'POST',
    headers: { 'x-service-key': shop },
    body: '{}',
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
  const user = `/people/users/${listed.data[0].itemId}?project=${shop}`
  shots['people-user'] = { path: user }
  shots['people-user-narrow'] = { path: user, width: 360 }
  shots['people-user-dark'] = { path: user, theme: 'dark' }
  await control('POST', '/queue/drain')
  const [delivery] = await (await control('GET', `/projects/${shop}/deliveries`)).json()
  for (const [name, look] of Object.entries({ '': {}, ...looks })) {
    const path = `/webhooks?project=${shop}`
    shots[`webhooks-delivery${name && `-${name}`}`] = {
      path,
      unfold: delivery.kind,
      wait: 'ol li',
      ...look,
    }
    const beside = new URLSearchParams({ application: application.url, project: shop })
    shots[`translations-application${name && `-${name}`}`] = {
      path: `/translations?${beside}`,
      wait: 'iframe',
      ...look,
    }
  }
  for (const [name, shot] of Object.entries(shots)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const { path, theme, language, width = 1280, offline, signedOut, open, unfold, wait } = shot
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
    if (offline) await page.route('**/_platform/projects/**', (route) => route.abort())
    const started = performance.now()
    await page.goto(`${(signedOut ? guarded : platform).baseUrl}/console${path}`)
    await page.waitForFunction(
      () => document.querySelector('h1') && !document.querySelector('main [aria-busy="true"]'),
      undefined,
      { timeout: 120_000 },
    )
    if (unfold) {
      const summary = page.getByText(unfold, { exact: true }).first()
      await summary.click()
      await page.waitForLoadState('networkidle')
      await summary.scrollIntoViewIfNeeded()
    }
    if (open) {
      await page.getByRole('button', { name: open }).first().click()
      // Dialogs are loaded when they are opened.
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(200)
    }
    if (wait) await page.locator(wait).first().waitFor()
    if (wait === 'iframe') await page.waitForTimeout(3000)
    await page.screenshot({ path: join(target, `${name}.png`) })
    console.log(`${name} ${Math.round(performance.now() - started)} ms`)
    await context.close()
  }
} finally {
  await browser.close()
  await application.close()
  await Promise.all([platform.close(), guarded.close()])
  rmSync(temporary, { recursive: true, force: true })
}
console.log(`Written to ${target}`)
