import { expect, it } from 'vitest'
import { isBrowserMissing, launchBrowser } from './browser.mjs'

it.skipIf(isBrowserMissing())('opens a page with nothing stored from before', async () => {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>Ready</h1>')
    expect(await page.textContent('h1')).toBe('Ready')
    expect(await page.context().cookies()).toEqual([])
  } finally {
    await browser.close()
  }
})
