import { chromium } from 'playwright-core'
import { browserArgs } from './browser.mjs'
import { findBrowser } from './find-browser.mjs'

/**
 * Starts the browser that all test files share: its address is in `SERVICEKIT_TEST_BROWSER`.
 * vitest calls the returned function after the tests.
 */
export async function setup() {
  const executablePath = findBrowser()
  // Each project of vitest calls this function.
  if (!executablePath || process.env['SERVICEKIT_TEST_BROWSER']) return undefined
  const server = await chromium.launchServer({ executablePath, args: browserArgs })
  process.env['SERVICEKIT_TEST_BROWSER'] = server.wsEndpoint()
  return () => server.close()
}
