import { createLocalizer, delocalizeHref, handleLanguage } from './server.js'

/** @param {LanguageOptions} [options] */
export const languageMiddleware =
  (options) =>
  /** @param {any} context @param {() => Promise<void>} next */
  async (context, next) => {
    const { language, timeZone, redirect, headers } = await handleLanguage(context.req.raw, options)
    if (redirect) return redirect
    context.set('language', language)
    const localizer = await createLocalizer(language, { timeZone })
    await localizer.run(next)
    for (const [name, value] of headers) context.header(name, value, { append: true })
  }

/** @param {LanguageOptions} options */
export const createGetPath =
  (options) =>
  /** @param {Request} request */
  ({ url }) =>
    delocalizeHref(new URL(url).pathname, options)
