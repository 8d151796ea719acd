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

it.skipIf(isBrowserMissing())('shares a browser, without what its pages store', async () => {
  const [one, other] = await Promise.all([launchBrowser(), launchBrowser()])
  const page = await one.newPage()
  await page.context().addCookies([{ name: 'a', value: '1', url: 'http://127.0.0.1' }])
  const context = await other.newContext()
  expect(await context.cookies()).toEqual([])
  await other.close()
  expect(other.isConnected()).toBe(false)
  expect(await page.evaluate('1 + 1')).toBe(2)
  expect(one.contexts()).toHaveLength(1)
  await one.close()
})
