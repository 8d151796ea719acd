import { type CatalogOptions, catalogOptionNames } from '@servicekit/catalog'
import { checkOptions, ConfigError, readChoice } from '@servicekit/client'
import { invalidValue } from '@servicekit/core'

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
   * Writes `uilm-manifest.json` to the output folder, from which `servicekit repack` compiles
   * packs for this build from newer translations. By default only with `live`.
   */
  readonly manifest?: boolean
  /** Lets pages load newer translations than those of the build. */
  readonly live?: LiveOptions
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

/** Options for updates of translations without a new build. */
export interface LiveOptions {
  /**
   * URL of `uilm-current.json`, which `servicekit repack` writes or `repackHandler` serves;
   * relative to the page. The attribute `data-uilm-live` of the root element overrides it.
   */
  readonly url: string
  /**
   * Time at which a page checks for newer translations: only at its start (`start`, the default), also
   * at navigations within the page (`navigation`), or also every given number of seconds.
   */
  readonly check?: 'start' | 'navigation' | number
  /**
   * Maximum time in milliseconds that the first messages wait for newer ones. By default 0: a
   * page begins with the messages of the build and replaces them.
   */
  readonly waitMs?: number
}

/** Options for finding keys in development. */
export interface InspectOptions {
  /** Modifier key for the click; `alt` by default, `none` disables it. */
  readonly modifier?: 'alt' | 'ctrl' | 'meta' | 'none'
  /**
   * URL template that the click also opens, e.g.
   * `https://console.example.com/{projectKey}/{module}/{key}?language={language}`.
   * `{baseUrl}` is the URL of the service. By default the page of the key in the
   * console of a local platform, and none for other services. An empty string opens nothing.
   */
  readonly url?: string
}

export interface ResolvedUilmOptions {
  readonly catalog: CatalogOptions
  readonly inline: UilmOptions['inline']
  readonly framework: UilmOptions['framework']
  readonly cookie: boolean | undefined
  readonly library: boolean
  readonly manifest: boolean
  readonly live: Required<LiveOptions> | undefined
  readonly inspect: InspectOptions
  readonly pollMs: number
  readonly webhook: UilmOptions['webhook']
}

const pluginOptionNames = [
  'inline',
  'framework',
  'cookie',
  'library',
  'manifest',
  'live',
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
    manifest = options.live !== undefined,
    live,
    inspect = {},
    pollMs = 60_000,
    webhook,
    ...catalog
  } = options
  if (framework !== undefined) {
    readChoice('framework', framework, ['react', 'vue', 'svelte', 'solid'])
  }
  checkOptions('inspect option', inspect, ['modifier', 'url'])
  const { modifier } = inspect
  if (modifier !== undefined) {
    readChoice('inspect.modifier', modifier, ['alt', 'ctrl', 'meta', 'none'])
  }
  if (live && inline !== undefined) {
    throw new ConfigError('Cannot use the option live together with inline', {
      help: 'A build for one language contains its translations. Build it again to update them.',
    })
  }
  return {
    catalog,
    inline,
    framework,
    cookie,
    library,
    manifest,
    live: live && resolveLive(live),
    inspect,
    pollMs,
    webhook,
  }
}

function resolveLive(options: LiveOptions): Required<LiveOptions> {
  checkOptions('live option', options, ['url', 'check', 'waitMs'])
  const { url, check = 'start', waitMs = 0 } = options
  if (typeof url !== 'string' || url === '') {
    throw new ConfigError('The option live requires a URL', {
      help: "Set it to the URL of uilm-current.json: live: { url: '/live/uilm-current.json' }.",
    })
  }
  if (typeof check === 'string') readChoice('live.check', check, ['start', 'navigation'])
  else checkNumber('live.check', check, 1)
  checkNumber('live.waitMs', waitMs, 0)
  return { url, check, waitMs }
}

function checkNumber(name: string, value: number, min: number): void {
  if (Number.isFinite(value) && value >= min) return
  throw new ConfigError(invalidValue(name, `a number of at least ${min}`, value))
}
