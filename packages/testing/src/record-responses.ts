import type { Page } from 'playwright-core'

/**
 * Records the text of everything that a page loads. Chromium keeps no text of a response that
 * the page reads as a stream, so requests of scripts to their own server go through the test.
 *
 * @returns function that resolves with the texts since its last call
 */
export async function recordResponses(page: Page): Promise<() => Promise<readonly string[]>> {
  const texts: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'fetch') texts.push(response.text().catch(() => ''))
  })
  await page.route('**', async (route) => {
    const request = route.request()
    const isOwn = new URL(request.url()).origin === new URL(request.frame().url()).origin
    if (request.resourceType() !== 'fetch' || !isOwn) return route.continue()
    const response = await route.fetch()
    texts.push(response.text())
    await route.fulfill({ response })
  })
  return () => Promise.all(texts.splice(0))
}
