import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@servicekit/testing/browser'
import { startChild } from '../lib/child-process.mjs'
import {
  countTraffic,
  expectedTexts,
  localModule,
  shownByView,
  writeDevPage,
} from '../lib/dev-page.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'
import { versionOf } from '../lib/peers.mjs'
import { writePlatformProject } from '../lib/platform-project.mjs'
import { summarise } from '../lib/statistics.mjs'

/**
 * Time until an open page in development shows a translation that was changed on the platform, in
 * a project of 10,000 keys in 20 languages: from the response of the platform to the change until
 * the page has the text. The time of the platform's own transaction is measured apart, and
 * `dev-edit-total` includes it. The peer is vite's hot update of a file in the same page, from
 * before the file is written. Platform, vite and browser are processes of their own.
 *
 * Each round takes the median of several edits of each kind. Before an edit, the files of the
 * earlier one are stored, so that no work of it is left.
 */
const size = { keys: 10_000, languages: 20, modules: 20 }
const shownPerView = 25
const editsPerRound = 5
const projectKey = 'P00000000000000000000000000010000'
const servers = fileURLToPath(new URL('../contenders/dev-servers.mjs', import.meta.url))

const peer = { peer: 'file', peerName: `hot update of a file, vite ${versionOf('vite')}` }
const ours = { ours: 'translation', ...peer }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'edit in development: 10,000 keys x 20 languages, until the open page shows it',
  claims: [
    { claim: 'dev-edit', figure: 'ms', unit: 'ms', ...ours, goal: { maxRatio: 3 } },
    { claim: 'dev-edit-total', figure: 'total', unit: 'ms', ...ours, goal: { maxRatio: 20 } },
    { claim: 'dev-edit-requests', figure: 'requests', unit: 'requests', ...ours, goal: { max: 1 } },
    { claim: 'dev-edit-bytes', figure: 'bytes', unit: 'B', ...ours, goal: { maxRatio: 3 } },
  ],
  async prepare({ folder, progress, onEnd }) {
    progress('writing the project')
    const catalog = generateCatalog(size)
    const views = shownByView(catalog, shownPerView)
    const [heading] = views[0] ?? []
    const [language = ''] = catalog.languages
    if (!heading || heading.params.length > 0) throw new Error('The heading must be a plain text')
    const [projectDir, root] = [folder(), folder()]
    writePlatformProject(projectDir, {
      projectKey,
      languages: catalog.languages,
      modules: catalog.modules,
      translationsOf: (code, name) =>
        Object.fromEntries(
          catalog.messages
            .filter(({ module }) => module === name)
            .map(({ key, translations }) => [key, translations[code]]),
        ),
    })
    const { local } = await writeDevPage(root, views, 'messages')
    /** @param {object} options */
    const start = async (options) => {
      const child = startChild(servers)
      onEnd(child.stop)
      const { url } = await child.ask(options)
      return /** @type {string} */ (url)
    }
    progress('starting platform, server and browser')
    const baseUrl = await start({ projectDir })
    const url = await start({ root, baseUrl, projectKey })
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const page = await browser.newPage({ locale: language })
    const traffic = countTraffic(page)
    /** @type {(text: string, shownMs: number) => void} */
    let onChange = () => {}
    await page.exposeFunction(
      'reportChange',
      (/** @type {string} */ text, /** @type {number} */ ms) => onChange(text, ms),
    )
    await page.goto(url)
    await page.waitForFunction(() => Reflect.get(globalThis, 'shown'), undefined, {
      timeout: 120_000,
    })
    const shown = await page.evaluate(() => Reflect.get(globalThis, 'shown'))
    if (JSON.stringify(shown) !== JSON.stringify(expectedTexts(views))) {
      throw new Error('The page does not show its texts')
    }
    await page.fill('input', 'half-filled')
    await traffic.take()

    let edits = 0
    /**
     * Makes one edit and waits until the page shows it.
     *
     * @param {Edit} edit
     */
    const measureOne = async ({ change, settle }) => {
      const text = `Edit ${++edits}`
      const isShown = new Promise((/** @type {(ms: number) => void} */ resolve) => {
        onChange = (found, ms) => {
          if (found === text) resolve(ms)
        }
      })
      const startMs = Date.now()
      const changedMs = await change(text)
      const shownMs = await Promise.race([isShown, rejectAfterTimeout(text)])
      await settle(text)
      return { ms: shownMs - changedMs, total: shownMs - startMs, ...(await traffic.take()) }
    }
    /** @param {Edit} edit */
    const measure = async (edit) => {
      /** @type {Awaited<ReturnType<typeof measureOne>>[]} */
      const samples = []
      for (let index = 0; index < editsPerRound; index++) samples.push(await measureOne(edit))
      if ((await page.inputValue('input')) !== 'half-filled') throw new Error('The page reloaded')
      const medianOf = (/** @type {'ms' | 'total' | 'requests' | 'bytes'} */ name) =>
        summarise(samples.map((sample) => sample[name])).median
      return {
        ms: medianOf('ms'),
        total: medianOf('total'),
        requests: medianOf('requests'),
        bytes: medianOf('bytes'),
      }
    }

    /** @type {Edit} */
    const translation = {
      async change(value) {
        const { module, key } = heading
        const response = await fetch(`${baseUrl}/_platform/projects/${projectKey}/texts`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify([{ language, module, key, value }]),
        })
        if (!response.ok) throw new Error(`The platform responded with ${response.status}`)
        return Date.now()
      },
      async settle(text) {
        const stored = join(root, 'uilm', language, `${heading.module}.json`)
        while (!(await readFile(stored, 'utf8')).includes(text)) await setTimeout(20)
        // The lock file and the declarations follow.
        await setTimeout(1000)
      },
    }
    /** @type {Edit} */
    const file = {
      async change(text) {
        const startMs = Date.now()
        writeFileSync(local, localModule(text))
        return startMs
      },
      // File watchers ignore a change that follows too soon after another.
      settle: () => setTimeout(1000),
    }
    // The first edit waits for the pull that begins when the server connects to the platform.
    for (const edit of [translation, file]) await measureOne(edit)
    return { translation: () => measure(translation), file: () => measure(file) }
  },
}

/**
 * @typedef {object} Edit
 * @property {(text: string) => Promise<number>} change resolves with the time from which it counts
 * @property {(text: string) => Promise<void>} settle resolves when no work of the edit is left
 */

/** @param {string} text @returns {Promise<never>} */
async function rejectAfterTimeout(text) {
  await setTimeout(30_000, undefined, { ref: false })
  throw new Error(`The page did not show "${text}" within 30 s`)
}
