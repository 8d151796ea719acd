import { addHeaders, createLocalizer, handleLanguage } from './server.js'

/** @param {LanguageOptions} [options] */
export const createOnRequest =
  (options) =>
  /** @param {any} context @param {(path?: string) => Promise<Response>} next */
  async (context, next) => {
    const { language, timeZone, redirect, headers, url } = await handleLanguage(
      context.request,
      options,
    )
    if (redirect) return redirect
    context.locals.language = language
    const path = url.pathname + url.search
    const isSame = url.href === context.url.href
    const localizer = await createLocalizer(language, { timeZone })
    return addHeaders(await localizer.run(() => next(isSame ? undefined : path)), headers)
  }
export const onRequest = createOnRequest()
