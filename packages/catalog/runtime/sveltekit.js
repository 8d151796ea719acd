import {
  addHeaders,
  createLocalizer,
  delocalizeHref,
  handleLanguage,
  setHtmlLanguage,
} from './server.js'

/** @param {LanguageOptions} [options] */
export const createHandle =
  (options) =>
  /** @param {any} input */
  async ({ event, resolve }) => {
    const { language, timeZone, redirect, headers } = await handleLanguage(event.request, options)
    if (redirect) return redirect
    const localizer = await createLocalizer(language, { timeZone })
    /** @param {{ html: string }} chunk */
    const transformPageChunk = ({ html }) => setHtmlLanguage(html, language)
    const response = await localizer.run(() => resolve(event, { transformPageChunk }))
    return addHeaders(response, headers)
  }
export const handle = createHandle()

/** @param {LanguageOptions} options */
export const createReroute =
  (options) =>
  /** @param {{ url: URL }} event */
  ({ url }) =>
    delocalizeHref(url.pathname, options)
