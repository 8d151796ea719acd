import { chromium } from 'playwright-core'
import * as system from './system.mjs'

// No sandbox: Chromium refuses to start with one as root. The other flags keep it from
// connecting to anything but the test.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Environment variable with the address of the browser that the files of a run share. */
const sharedBrowser = 'SERVICEKIT_TEST_BROWSER'

/** @type {typeof import('./browser.d.mts').launchBrowser} */
export const launchBrowser = async ({ usesClipboard = false } = {}) => {
  const address = process.env[sharedBrowser]
  return address && !usesClipboard
    ? chromium.connect(address)
    : chromium.launch({ executablePath: requireBrowser(), args })
}

/** @type {typeof import('./browser.d.mts').withBrowser} */
export const withBrowser = async (body) => {
  const server = await chromium.launchServer({ executablePath: requireBrowser(), args })
  process.env[sharedBrowser] = server.wsEndpoint()
  try {
    return await body()
  } finally {
    delete process.env[sharedBrowser]
    await server.close()
  }
}

/** @type {typeof import('./browser.d.mts').launchProfile} */
export const launchProfile = async (locale, ...more) => {
  const executablePath = requireBrowser()
  // Only the newer headless mode loads extensions.
  const own = { headless: false, args: ['--headless=new', ...args, ...more] }
  return chromium.launchPersistentContext('', { executablePath, locale, ...own })
}

const requireBrowser = () => {
  const executablePath = system.findBrowser()
  if (!executablePath) throw new Error('no browser; node packages/workspace/system.mjs says more')
  return executablePath
}

/** @type {typeof import('./browser.d.mts').isBrowserMissing} */
export const isBrowserMissing = () => system.isBrowserMissing()
