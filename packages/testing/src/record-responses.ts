import type { Page } from 'playwright-core'

/**
 * Records the text of everything that a page loads. Chromium keeps no text of a response that
 * the page reads as a stream, so requests of scripts go through the test.
 *
 * @returns function that resolves with the texts since its last call
 */
export async function recordResponses(page: Page): Promise<() => Promise<readonly string[]>> {
  const texts: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'fetch') texts.push(response.text().catch(() => ''))
  })
  await page.route('**', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    const response = await route.fetch()
    texts.push(response.text())
    await route.fulfill({ response })
  })
  return () => Promise.all(texts.splice(0))
}
