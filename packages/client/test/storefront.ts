import { fileURLToPath } from 'node:url'

/** Folder of the sample project. */
export const storefront = fileURLToPath(
  new URL('../../../fixtures/projects/storefront', import.meta.url),
)

/** Credentials of its machine client. */
export const credentials = {
  clientId: 'storefront-job',
  clientSecret: 'storefront-job-secret',
} as const
