import { createLocalizer, handleLanguage } from './server.js'

/** @param {LanguageOptions} [options] */
export const createMiddleware =
  (options) =>
  /** @param {any} event @param {() => unknown} next */
  async (event, next) => {
    const { language, timeZone, redirect, headers } = await handleLanguage(event.req, options)
    if (redirect) return redirect
    for (const [name, value] of headers) event.res.headers.append(name, value)
    const localizer = await createLocalizer(language, { timeZone })
    return localizer.run(next)
  }
