import { type CatalogOptions, catalogOptionNames } from '@servicekit/catalog'
import { checkOptions } from '@servicekit/client'

/** Options of the plugin: those of the translations, and how development follows the service. */
export interface UilmOptions extends CatalogOptions {
  /**
   * Pause between two looks at the service in development, in milliseconds;
   * 60,000 by default, 0 turns it off. A webhook makes it see changes at once.
   */
  readonly pollMs?: number
  /** What the service's webhook must carry to be believed; nothing by default. */
  readonly webhook?: { readonly headerKey: string; readonly secret: string }
}

export interface ResolvedUilmOptions {
  readonly catalog: CatalogOptions
  readonly pollMs: number
  readonly webhook: { readonly headerKey: string; readonly secret: string } | undefined
}

/** @throws ConfigError for an unknown option. */
export function resolveOptions(options: UilmOptions): ResolvedUilmOptions {
  checkOptions('options of the plugin', options, [...catalogOptionNames, 'pollMs', 'webhook'])
  const { pollMs = 60_000, webhook, ...catalog } = options
  return { catalog, pollMs, webhook }
}
