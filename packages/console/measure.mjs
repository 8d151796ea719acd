/**
 * Measures the page of translations in Chromium with 200 and 20,000 keys in ten languages: time
 * from an interaction to the next paint, and frames per second while scrolling. Exits with 1 if the
 * slowest interaction takes more than 3 times as long with 20,000 keys. Build first.
 *
 *     npm run measure
 */
import { withConsole } from '@servicekit/platform/console'
import { startPlatform } from '@servicekit/platform/node'
import { launchBrowser } from '@servicekit/testing/browser'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeProject } from './large-project.mjs'

const sizes = [200, 20_000]
const rounds = 12
const temporary = mkdtempSync(join(tmpdir(), 'console-measure-'))
const projectDir = sizes.map((size) => writeProject(temporary, `keys-${size}`, size))
const platform = await startPlatform({
  projectDir,
  wrap: (started) => withConsole(started, { allowThisMachine: true }),
})
const browser = await launchBrowser()

/** @typedef {import('playwright-core').Page} Page */

/** Interactions, each repeated. @type {Record<string, (page: Page, round: number) => Promise<unknown>>} */
const interactions = {
  'arrow key': (page) => page.keyboard.press('ArrowDown'),
  'page down': (page) => page.keyboard.press('PageDown'),
  'open the editor': async (page) => {
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
  },
  'last row and back': (page, round) =>
    page.keyboard.press(round % 2 ? 'Control+Home' : 'Control+End'),
  'type in the search': async (page, round) => {
    const search = page.getByRole('searchbox')
    await search.focus()
    await page.keyboard.type(`0${round % 10}`)
    // The search waits for a pause; its result is part of what the user waits for.
    await page.waitForTimeout(250)
    await search.fill('')
    await page.waitForTimeout(250)
  },
  'change the filter': async (page, round) => {
    const filter = page.getByRole('combobox', { name: 'Filter', exact: true })
    await filter.selectOption(round % 2 ? 'all' : 'missing')
  },
}

/** Opens the page, and collects what the browser measures. @param {number} size */
async function open(size) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen = /** @type {{ interactions: number[], frames: number[] }} */ ({
      interactions: [],
      frames: [],
    })
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (/** @type {any} */ (entry).interactionId) seen.interactions.push(entry.duration)
      }
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 })
    const frame = (/** @type {number} */ time) => {
      seen.frames.push(time)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  const started = performance.now()
  await page.goto(`${platform.baseUrl}/console/translations?project=keys-${size}`)
  await page.waitForFunction(
    () => document.querySelector('main h1') && !document.querySelector('main [aria-busy="true"]'),
    undefined,
    { timeout: 120_000 },
  )
  return { context, page, readyMs: performance.now() - started }
}

/** Returns the durations that were measured since the last call. @param {Page} page */
const take = (page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))
    return /** @type {any} */ (globalThis).seen.interactions.splice(0)
  })

/** Frames per second while the wheel turns. @param {Page} page */
async function scroll(page) {
  await page.mouse.move(700, 500)
  await page.evaluate(() => /** @type {any} */ (globalThis).seen.frames.splice(0))
  for (let turn = 0; turn < 120; turn++) {
    await page.mouse.wheel(0, 240)
    await page.waitForTimeout(16)
  }
  /** @type {number[]} */
  const times = await page.evaluate(() => /** @type {any} */ (globalThis).seen.frames.splice(0))
  const gaps = times.slice(1).map((time, index) => time - times[index])
  gaps.sort((a, b) => a - b)
  return {
    perSecond: (1000 * gaps.length) / (times.at(-1) - times[0]),
    slowest: gaps[Math.floor(gaps.length * 0.99)],
  }
}

/** @type {Record<string, Record<number, number>>} */
const worst = {}
try {
  for (const size of sizes) {
    const { context, page, readyMs } = await open(size)
    await page.locator('[aria-rowindex="2"] [aria-colindex="3"]').first().click()
    await take(page)
    for (const [name, act] of Object.entries(interactions)) {
      const durations = []
      for (let round = 0; round < rounds; round++) {
        await act(page, round)
        durations.push(...(await take(page)))
      }
      // Faster ones than 16 ms are not reported.
      worst[name] = { ...worst[name], [size]: Math.max(16, ...durations) }
      if (name === 'last row and back') await page.keyboard.press('Control+Home')
    }
    await page.getByRole('combobox', { name: 'Filter', exact: true }).selectOption('all')
    const { perSecond, slowest } = await scroll(page)
    console.log(
      `${size} keys: ready in ${Math.round(readyMs)} ms; ${perSecond.toFixed(1)} frames per second while scrolling, the slowest hundredth ${slowest.toFixed(1)} ms`,
    )
    await context.close()
  }
} finally {
  await browser.close()
  await platform.close()
  rmSync(temporary, { recursive: true, force: true })
}
const [small, large] = sizes
console.log(`Slowest interaction to next paint of ${rounds}, in ms:`)
for (const [name, bySize] of Object.entries(worst)) {
  const ratio = bySize[large] / bySize[small]
  console.log(
    `  ${name}: ${bySize[small]} with ${small} keys, ${bySize[large]} with ${large}: ${ratio.toFixed(2)} times`,
  )
}
const slowestOf = (/** @type {number} */ size) =>
  Math.max(...Object.values(worst).map((one) => one[size]))
const maxRatio = 3
const ratio = slowestOf(large) / slowestOf(small)
console.log(`Slowest of all: ${ratio.toFixed(2)} times; the goal is at most ${maxRatio}`)
if (ratio > maxRatio) process.exitCode = 1
