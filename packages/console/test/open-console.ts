import { startPlatform, type StartedPlatform, type StartOptions } from '@servicekit/platform/node'
import { launchBrowser } from '@servicekit/testing/browser'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { writeProject } from '../large-project.mjs'
import { withConsole } from '../src/server/index.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Project key of the storefront. */
export const projectKey = 'P5c1e7a90d2f84b6e8a3f9d41'

/** Console in a browser, opened for each test. */
export interface OpenConsole {
  readonly platform: StartedPlatform
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of the pages, and what their content security policy refused. */
  readonly problems: readonly string[]
  /** Removes and returns the problems. */
  readonly takeProblems: () => readonly string[]
  readonly open: (path: string) => Promise<unknown>
  /**
   * Opens a page in a window of its own, with its own storage. A tab in the background would draw
   * only a few frames a second, and each click waits for frames.
   */
  readonly openWindow: () => Promise<Page>
  /** Returns the serious violations of accessibility rules. */
  readonly violations: () => Promise<readonly string[]>
}

const look = { locale: 'en-US', reducedMotion: 'reduce' } as const

/**
 * Starts the platform and a browser for the tests of a suite.
 *
 * @param options.storage returns the object storage of the platform; a folder by default.
 * @param options.usesClipboard starts a browser that no other suite uses.
 */
export function useConsole({
  storage,
  usesClipboard = false,
}: {
  readonly storage?: () => Promise<NonNullable<StartOptions['storage']>>
  readonly usesClipboard?: boolean
} = {}): OpenConsole {
  const problems: string[] = []
  let current: Pick<OpenConsole, 'platform' | 'browser' | 'context' | 'page'>
  const temporary = mkdtempSync(join(tmpdir(), 'console-'))
  let platform: StartedPlatform
  let browser: Browser
  beforeAll(async () => {
    const wrap = (started: StartedPlatform['platform']) =>
      withConsole(started, { allowThisMachine: true })
    ;[platform, browser] = await Promise.all([
      startPlatform({
        projectDir: [
          storefront,
          writeProject(temporary, 'empty', 0),
          writeProject(temporary, 'large', 600),
        ],
        outgoing: ['loopback'],
        secret: 'encrypts tokens of tools',
        ...(storage && { storage: await storage() }),
        wrap,
      }),
      launchBrowser({ usesClipboard }),
    ])
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await platform?.close()
    rmSync(temporary, { recursive: true, force: true })
  })
  beforeEach(async () => {
    const context = await browser.newContext(look)
    const page = await context.newPage()
    // A refusal by the content security policy is an error of the page as well.
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    problems.length = 0
    current = { platform, browser, context, page }
  })
  afterEach(async () => {
    for (const context of current.browser.contexts()) await context.close()
  })
  return {
    get platform() {
      return current.platform
    },
    get browser() {
      return current.browser
    },
    get context() {
      return current.context
    },
    get page() {
      return current.page
    },
    problems,
    takeProblems: () => problems.splice(0),
    openWindow: async () => (await browser.newContext(look)).newPage(),
    open: (path) => current.page.goto(`${platform.baseUrl}/console${path}`),
    violations: () => findViolations(current.page),
  }
}

/** Returns the serious violations of accessibility rules on a page. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids inline scripts, so this runs in the debugger's world.
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as {
      axe: {
        run: () => Promise<{
          violations: { id: string; impact: string; nodes: { html: string }[] }[]
        }>
      }
    }
    return (await run.run()).violations
  })
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
