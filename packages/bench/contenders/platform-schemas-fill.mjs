import { createPlatform } from '@servicekit/platform'
import { readFileSync } from 'node:fs'

/**
 * Creates the project in a process that ends before the measurement.
 *
 * @param {{ dataDir: string, listing: string }} input
 */
export const prepare =
  ({ dataDir, listing }) =>
  async () => {
    const platform = await createPlatform({ dataDir })
    const { items: schemas } = JSON.parse(readFileSync(listing, 'utf8')).data
    const languages = [{ itemId: 'en', languageCode: 'en-US', languageName: 'E', isDefault: true }]
    const response = await platform.fetch(
      new Request('http://platform.local/_platform/projects', {
        method: 'POST',
        body: JSON.stringify({ projectKey: 'schemas', name: 'Schemas', languages, schemas }),
      }),
    )
    if (!response.ok) throw new Error(await response.text())
    await platform.close()
    return {}
  }
