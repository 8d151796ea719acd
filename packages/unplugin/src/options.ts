import { type CatalogOptions, catalogOptionNames } from '@servicekit/catalog'
import { checkOptions, ConfigError } from '@servicekit/client'

/** Options of the plugin: those for translations, and those for bundles and development. */
export interface UilmOptions extends CatalogOptions {
  /**
   * Language code of a build for one language. Its translations are inlined, nothing is
   * loaded at run time and no runtime is included. By default all languages are built,
   * and each visitor loads one.
   */
  readonly inline?: string
  /**
   * Framework whose templates call messages. Required only for vue, svelte and solid;
   * with vite it is detected from the plugins.
   */
  readonly framework?: 'react' | 'vue' | 'svelte' | 'solid'
  /**
   * Also stores the language that a visitor selects in a cookie, which `handleLanguage`
   * reads on the server. By default only with Astro, Nuxt, React Router, SolidStart and
   * SvelteKit on vite.
   */
  readonly cookie?: boolean
  /**
   * Writes a separate import for each pack, for code that other tools bundle again, such
   * as a library. By default only for server code and libraries built with vite.
   */
  readonly library?: boolean
  /**
   * Options for finding keys in development. Alt+Shift+K shows keys instead of
   * messages, and a click on a message with the modifier copies its key.
   */
  readonly inspect?: InspectOptions
  /**
   * Polling interval of the service in development, in milliseconds; 60,000 by default, 0
   * disables polling. With a webhook, changes appear immediately.
   */
  readonly pollMs?: number
  /** Header that requests of the service's webhook must have; none by default. */
  readonly webhook?: { readonly headerKey: string; readonly secret: string }
}

/** Options for finding keys in development. */
export interface InspectOptions {
  /** Modifier key for the click; `alt` by default, `none` disables it. */
  readonly modifier?: 'alt' | 'ctrl' | 'meta' | 'none'
  /**
   * URL template that the click also opens, e.g.
   * `https://console.example.com/{projectKey}/{module}/{key}?language={language}`.
   * `{baseUrl}` is the URL of the service. By default the page of the key on a local
   * platform, and none for other services. An empty string opens nothing.
   */
  readonly url?: string
}

export interface ResolvedUilmOptions {
  readonly catalog: CatalogOptions
  readonly inline: UilmOptions['inline']
  readonly framework: UilmOptions['framework']
  readonly cookie: boolean | undefined
  readonly library: boolean
  readonly inspect: InspectOptions
  readonly pollMs: number
  readonly webhook: UilmOptions['webhook']
}

const pluginOptionNames = [
  'inline',
  'framework',
  'cookie',
  'library',
  'inspect',
  'pollMs',
  'webhook',
] as const satisfies readonly (keyof UilmOptions)[]

/**
 * Validates the options of the plugin and adds defaults.
 *
 * @throws ConfigError for an unknown option or an invalid value.
 */
export function resolveOptions(options: UilmOptions): ResolvedUilmOptions {
  checkOptions('plugin option', options, [...catalogOptionNames, ...pluginOptionNames])
  const {
    inline,
    framework,
    cookie,
    library = false,
    inspect = {},
    pollMs = 60_000,
    webhook,
    ...catalog
  } = options
  oneOf('framework', framework, ['react', 'vue', 'svelte', 'solid'])
  checkOptions('inspect option', inspect, ['modifier', 'url'])
  oneOf('inspect.modifier', inspect.modifier, ['alt', 'ctrl', 'meta', 'none'])
  return { catalog, inline, framework, cookie, library, inspect, pollMs, webhook }
}

function oneOf(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return
  throw new ConfigError(`Invalid value "${value}" for the option ${name}`, {
    help: `Use one of ${allowed.join(', ')}.`,
  })
}
