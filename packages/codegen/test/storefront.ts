import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Saved listing of the sample project. */
export const storefrontFile: string = fileURLToPath(
  new URL('../../../fixtures/projects/storefront/schemas.json', import.meta.url),
)

export const storefront: unknown = JSON.parse(readFileSync(storefrontFile, 'utf8'))
