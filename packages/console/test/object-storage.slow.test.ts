import { isBrowserMissing } from '@servicekit/testing/browser'
import { afterAll, describe, expect, it } from 'vitest'
import { startAzurite } from '@servicekit/testing/azurite'
import { projectKey, useConsole } from './open-console.ts'

/** Picture of one pixel. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Azurite = Awaited<ReturnType<typeof startAzurite>>

describe.skipIf(isBrowserMissing())('the files page', { timeout: 120_000 }, () => {
  let azurite: Azurite
  // After the platform, whose jobs ask the storage for uploads: the last hook runs first.
  afterAll(() => azurite?.stop())
  const console = useConsole({
    storage: async () => {
      azurite = await startAzurite()
      return [azurite.storage]
    },
  })
  const { open, problems } = console

  it('uploads to object storage and shows what is there', async () => {
    await azurite.allowOrigin(console.platform.baseUrl)
    await open(`/files?project=${projectKey}`)
    await console.page.locator('input[type=file]').setInputFiles([
      { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('In the cloud') },
      { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') },
    ])
    await console.page
      .getByRole('region', { name: 'Uploads' })
      .getByText('Uploaded.')
      .nth(1)
      .waitFor()
    const names = []
    for await (const blob of azurite.client.listBlobsFlat()) names.push(blob.name)
    expect(names).toHaveLength(2)

    await console.page.getByRole('link', { name: 'note.txt' }).click()
    const note = console.page.getByRole('dialog', { name: 'note.txt' })
    await note.getByText('In the cloud').waitFor()
    await note.getByRole('button', { name: 'Close' }).first().click()
    await console.page.getByRole('link', { name: 'dot.png' }).click()
    const image = console.page.getByRole('dialog', { name: 'dot.png' }).getByRole('img')
    await expect
      .poll(() =>
        image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBe(1)
    expect(problems).toEqual([])
  })
})
