import { chromium } from 'playwright-core'
import * as machine from './find-browser.mjs'

// No sandbox: Chromium refuses to start with one as root. The other flags keep it from
// connecting to anything but the test.
export const browserArgs = [
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
    : chromium.launch({ executablePath: requireBrowser(), args: browserArgs })
}

/** @type {typeof import('./browser.d.mts').launchProfile} */
export const launchProfile = async (locale, ...more) => {
  const executablePath = requireBrowser()
  // Only the newer headless mode loads extensions.
  const own = { headless: false, args: ['--headless=new', ...browserArgs, ...more] }
  return chromium.launchPersistentContext('', { executablePath, locale, ...own })
}

const requireBrowser = () => {
  const executablePath = machine.findBrowser()
  if (!executablePath)
    throw new Error(
      'no browser; node packages/testing/src/find-browser.mjs says how to install one',
    )
  return executablePath
}

/** @type {typeof import('./browser.d.mts').isBrowserMissing} */
export const isBrowserMissing = () => machine.isBrowserMissing()
