import { createLocalizer, handleLanguage } from './server.js'

/** Returns what determines the language. @param {any} request */
const toRequest = ({ method, headers, url, protocol, socket }) => {
  // HTTP/2 has no header host.
  const host = headers.host ?? headers[':authority']
  const names = [
    'cookie',
    'authorization',
    'accept',
    'accept-language',
    'sec-fetch-dest',
    'x-forwarded-host',
    'x-forwarded-proto',
  ]
  const sent = names.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))
  const origin = `${protocol ?? (socket.encrypted ? 'https' : 'http')}://${host}`
  // A proxy may send the whole address instead of the path.
  const path = url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^\/*/, '/')
  const address = (URL.canParse(origin) ? origin : 'http://localhost') + path
  // A Request cannot have the method TRACE. Only GET and HEAD matter here.
  return new Request(address, { method: method === 'TRACE' ? 'OPTIONS' : method, headers: sent })
}

/** @param {LanguageOptions} [options] */
export const languageMiddleware =
  (options) =>
  /** @param {any} request @param {any} response @param {(error?: unknown) => void} next */
  async (request, response, next) => {
    try {
      const fetchRequest = toRequest(request)
      const { language, timeZone, redirect, headers, url } = await handleLanguage(
        fetchRequest,
        options,
      )
      for (const [name, value] of headers) response.appendHeader(name, value)
      const location = redirect?.headers.get('location')
      if (location) {
        // Express removes the path that a router is mounted at from the URL.
        const mounted = (request.baseUrl ?? '') + location
        return response.writeHead(redirect?.status, { location: mounted }).end()
      }
      request.language = language
      if (url.href !== fetchRequest.url) request.url = url.pathname + url.search
      const localizer = await createLocalizer(language, { timeZone })
      localizer.run(next)
    } catch (error) {
      next(error)
    }
  }
