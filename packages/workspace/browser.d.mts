import type { Browser } from 'playwright-core'

/**
 * Starts an installed Chromium, Chrome or Edge with a fresh profile, which goes
 * when the browser closes. Close it when the test ends.
 *
 * @throws {Error} when there is none, saying how to get one
 */
export declare const launchBrowser: () => Promise<Browser>

/**
 * For `describe.skipIf(isBrowserMissing())`.
 *
 * @throws {Error} with CI=true, where a missing browser must not pass for a test
 */
export declare const isBrowserMissing: () => boolean
