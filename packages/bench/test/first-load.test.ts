import { isBrowserMissing, launchBrowser } from '@servicekit/workspace/browser'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { bundlers } from '../lib/first-load/bundlers.mjs'
import { buildNothing, buildServicekit } from '../lib/first-load/contenders.mjs'
import {
  bundledBytes,
  firstLoadBytes,
  firstLoadLeaks,
  stringsAlone,
} from '../lib/first-load/measure.mjs'
import { countLeaks, sentinel } from '../lib/first-load/leaks.mjs'
import { removeFolders, temporaryFolder } from '../lib/temporary.mjs'
import { generateTexts } from '../lib/texts.mjs'

afterAll(removeFolders)

describe('the first page of an application, 100 of 1,000 keys', () => {
  it('loads at most 2,900 bytes of translations with 5 languages', async () => {
    const bytes = await firstLoadBytes(buildServicekit, 5, temporaryFolder)
    expect(bytes).toBeGreaterThan(stringsAlone())
    expect(bytes).toBeLessThanOrEqual(2900)
  })

  it('loads at most 3,200 bytes with 20 languages', async () => {
    const bytes = await firstLoadBytes(buildServicekit, 20, temporaryFolder)
    expect(bytes).toBeLessThanOrEqual(3200)
  })

  it('loads no text that it does not show', async () => {
    const leaks = await firstLoadLeaks(buildServicekit, 5, temporaryFolder)
    expect(leaks).toEqual({ languages: 0, pages: 0, unused: 0 })
  })
})

describe.skipIf(isBrowserMissing())('in a browser', () => {
  it.each(Object.entries(bundlers))('so it is with %s', async (_, build) => {
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const bytes = await bundledBytes(build, 5, temporaryFolder, browser)
    expect(bytes).toBeGreaterThan(stringsAlone())
    expect(bytes).toBeLessThanOrEqual(2900)
  })
})

describe('the measurement itself', () => {
  it('refuses an application that shows something else', async () => {
    await expect(firstLoadBytes(buildNothing, 5, temporaryFolder)).rejects.toThrow('page one shows')
  })

  it('sees each kind of leak', () => {
    const texts = generateTexts({ keys: 3, languages: 2, modules: 1, decorate: sentinel })
    const [one, two, unused] = texts.keys.map((key) => [key])
    const everything = JSON.stringify(texts.keys)
    const visit = { shown: [], files: [{ name: 'all.js', text: everything, gzip: 0 }] }
    const leaks = countLeaks(visit, texts, { one: one ?? [], two: two ?? [] })
    expect(unused).toHaveLength(1)
    expect(leaks).toEqual({ languages: 3, pages: 1, unused: 1 })
  })
})
