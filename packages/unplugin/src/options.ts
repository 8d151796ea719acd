import { type CatalogOptions, catalogOptionNames } from '@servicekit/catalog'
import { checkOptions, ConfigError } from '@servicekit/client'

/** Options of the plugin: those of the translations, and how bundles and development use them. */
export interface UilmOptions extends CatalogOptions {
  /**
   * Code of the one language that the build is made for: its texts stand in the
   * code, nothing is loaded and nothing of the runtime is left. By default all
   * languages are built, and each visitor loads one.
   */
  readonly inline?: string
  /**
   * Framework whose templates call the messages; only vue, svelte and solid have to
   * be named, and under vite not even they: its plugins say so.
   */
  readonly framework?: 'react' | 'vue' | 'svelte' | 'solid'
  /**
   * Whether other tools bundle the code again, as those of applications do with a
   * library: each pack is then an import of its own, which they follow. By default of
   * servers' code and of vite's libraries alone.
   */
  readonly library?: boolean
  /**
   * How keys are found in development, where Alt+Shift+K shows keys in place of
   * texts and a click with the modifier on a text copies its key.
   */
  readonly inspect?: InspectOptions
  /**
   * Pause between two looks at the service in development, in milliseconds;
   * 60,000 by default, 0 turns it off. A webhook makes it see changes at once.
   */
  readonly pollMs?: number
  /** What the service's webhook must carry to be believed; nothing by default. */
  readonly webhook?: { readonly headerKey: string; readonly secret: string }
}

/** How keys are found in development. */
export interface InspectOptions {
  /** Key that is held while clicking; `alt` by default, and `none` turns it off. */
  readonly modifier?: 'alt' | 'ctrl' | 'meta' | 'none'
  /**
   * Address that the click opens too: of a local platform its own page for the key,
   * of other instances none by default. An empty one opens nothing.
   * `https://console.example.com/{projectKey}/{module}/{key}?language={language}`.
   * `{baseUrl}` is the address of the instance.
   */
  readonly address?: string
}

export interface ResolvedUilmOptions {
  readonly catalog: CatalogOptions
  readonly inline: string | undefined
  readonly framework: UilmOptions['framework']
  readonly library: boolean
  readonly inspect: InspectOptions
  readonly pollMs: number
  readonly webhook: { readonly headerKey: string; readonly secret: string } | undefined
}

const own = [
  'inline',
  'framework',
  'library',
  'inspect',
  'pollMs',
  'webhook',
] as const satisfies readonly (keyof UilmOptions)[]

/** @throws ConfigError for an unknown option, or one not of its form. */
export function resolveOptions(options: UilmOptions): ResolvedUilmOptions {
  checkOptions('options of the plugin', options, [...catalogOptionNames, ...own])
  const {
    inline,
    framework,
    library = false,
    inspect = {},
    pollMs = 60_000,
    webhook,
    ...catalog
  } = options
  oneOf('framework', framework, ['react', 'vue', 'svelte', 'solid'])
  checkOptions('options of the plugin below inspect', inspect, ['modifier', 'address'])
  oneOf('inspect.modifier', inspect.modifier, ['alt', 'ctrl', 'meta', 'none'])
  return { catalog, inline, framework, library, inspect, pollMs, webhook }
}

function oneOf(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return
  throw new ConfigError(`The option ${name} cannot be "${value}"`, {
    help: `It is one of ${allowed.join(', ')}.`,
  })
}
