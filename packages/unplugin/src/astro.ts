import type { FrameworkOptions } from './frameworks/language-options.ts'
import { uilm as vitePlugin } from './vite.ts'

export type { FrameworkOptions, LanguageConfig } from './frameworks/language-options.ts'

/** The parts of Astro's integration interface that are used. */
interface AstroSetup {
  readonly updateConfig: (config: { vite: { plugins: never[] } }) => unknown
  readonly addMiddleware: (middleware: { entrypoint: string; order: 'pre' }) => void
}

const middlewareId = 'virtual:servicekit-language'

/**
 * Integration for Astro: adds the plugin, and a middleware that handles the language of
 * requests.
 *
 * ```js
 * import { uilm } from '@servicekit/unplugin/astro'
 *
 * export default defineConfig({ output: 'server', integrations: [uilm()] })
 * ```
 */
export function uilm({ language = {}, ...options }: FrameworkOptions = {}): {
  name: string
  hooks: { 'astro:config:setup': (setup: AstroSetup) => void }
} {
  const middleware = {
    name: 'servicekit-language',
    resolveId: (id: string) => (id === middlewareId ? `\0${id}` : undefined),
    load: (id: string) =>
      id === `\0${middlewareId}`
        ? `import { createOnRequest } from '~uilm/astro'
export const onRequest = createOnRequest(${JSON.stringify(language)})
`
        : undefined,
  }
  return {
    name: 'servicekit',
    hooks: {
      'astro:config:setup': ({ updateConfig, addMiddleware }) => {
        const plugins = [vitePlugin({ cookie: true, ...options }), middleware] as never[]
        updateConfig({ vite: { plugins } })
        addMiddleware({ entrypoint: middlewareId, order: 'pre' })
      },
    },
  }
}
