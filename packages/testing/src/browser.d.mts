import type { Browser, BrowserContext } from 'playwright-core'

/** Flags that keep Chromium from connecting to anything but the test. */
export declare const browserArgs: string[]

/**
 * Starts an installed Chromium, Chrome or Edge with a fresh profile, which is removed when
 * the browser closes. Close it when the test ends.
 *
 * In a test run it connects to the browser of the run, whose contexts share nothing but the
 * clipboard. Closing it then closes only its own contexts.
 *
 * @param options.usesClipboard starts a browser of its own, so that no other test changes its
 * clipboard.
 * @throws {Error} when no browser is installed; the message says how to install one
 */
export declare const launchBrowser: (options?: {
  readonly usesClipboard?: boolean
}) => Promise<Browser>

/**
 * Starts a browser with a persistent profile, which extensions require, and which takes the
 * options of the command line. It is removed when the context closes.
 *
 * @throws {Error} when no browser is installed; the message says how to install one
 */
export declare const launchProfile: (
  locale: string,
  ...args: readonly string[]
) => Promise<BrowserContext>

/**
 * Use with `describe.skipIf(isBrowserMissing())`.
 *
 * @throws {Error} with CI=true, so that a missing browser does not count as a passed test
 */
export declare const isBrowserMissing: () => boolean
