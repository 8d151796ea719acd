import type { Package } from '../../workspace/lib/packages.mjs'

/** Packs the public packages into a folder, like `pnpm publish`. */
export function packPackages(folder: string): Promise<void>

/** Returns the file of a packed package. */
export function tarballOf(folder: string, item: Package): string

export interface Registry {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Serves packed packages, and redirects requests for others to the configured registry. */
export function startRegistry(folder: string): Promise<Registry>
