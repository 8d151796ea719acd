import { addHeaders, createLocalizer, handleLanguage } from './server.js'

/** @param {LanguageOptions} [options] */
export const createMiddleware =
  (options) =>
  /** @param {{ request: Request }} input @param {() => Promise<Response>} next */
  async ({ request }, next) => {
    const { language, timeZone, redirect, headers } = await handleLanguage(request, options)
    if (redirect) return redirect
    const localizer = await createLocalizer(language, { timeZone })
    return addHeaders(await localizer.run(next), headers)
  }
