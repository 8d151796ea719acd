import type { LanguageConfig } from './language-options.ts'

/** Plugin of the application: sets the attributes of the root element. */
export const nuxtPlugin = `import { defineNuxtPlugin, useHead } from '#imports'
import { htmlAttributes } from '~uilm'
import { useLanguage } from '~uilm/vue'

export default defineNuxtPlugin(() => {
  const language = useLanguage()
  useHead({ htmlAttrs: () => htmlAttributes(language.value) })
})
`

/** Declares the key of the module in the configuration. */
export const nuxtConfigTypes = `import type { FrameworkOptions } from '@servicekit/unplugin/nuxt'

declare module '@nuxt/schema' {
  interface NuxtConfig {
    /** Options of Servicekit's module. */
    uilm?: FrameworkOptions
  }
}
declare module 'nuxt/schema' {
  interface NuxtConfig {
    /** Options of Servicekit's module. */
    uilm?: FrameworkOptions
  }
}
`

/** Returns the plugin of Nitro, which runs each request in its language. */
export const nitroPlugin = (
  language: LanguageConfig,
): string => `import { languageMiddleware } from '~uilm/express'

const middleware = languageMiddleware(${JSON.stringify(language)})

export default ({ h3App }) => {
  const { handler } = h3App
  h3App.handler = (event) =>
    new Promise((resolve, reject) => {
      const { req, res } = event.node
      const { url } = req
      res.once('close', resolve)
      const next = (error) => {
        // The router of the pages reads the language from the address.
        req.url = url
        if (error) reject(error)
        else Promise.resolve(handler(event)).then(resolve, reject)
      }
      middleware(req, res, next)
    })
}
`
