import { addHeaders, createLocalizer, handleLanguage, setHtmlLanguage } from './server.js'

/** Text at the start of a document in which its root element must be. */
const maxStart = 10_000

/**
 * Sets the attributes of the root element of a document.
 * @param {Response} response @param {(html: string) => string} edit
 */
const editDocument = (response, edit) => {
  const type = response.headers.get('content-type') ?? ''
  if (!response.body || !type.startsWith('text/html')) return response
  let start = ''
  let isEdited = false
  /** @type {TransformStream<string, string>} */
  const editing = new TransformStream({
    transform(chunk, controller) {
      if (isEdited) return controller.enqueue(chunk)
      start += chunk
      isEdited = /<html\b[^>]*>/i.test(start) || start.length > maxStart
      if (isEdited) controller.enqueue(edit(start))
    },
    flush(controller) {
      if (!isEdited) controller.enqueue(edit(start))
    },
  })
  const body = response.body
    .pipeThrough(/** @type {any} */ (new TextDecoderStream()))
    .pipeThrough(editing)
    .pipeThrough(new TextEncoderStream())
  const edited = new Response(/** @type {any} */ (body), response)
  edited.headers.delete('content-length')
  return edited
}

/** @param {LanguageOptions} [options] */
export const createOnRequest =
  (options) =>
  /** @param {any} context @param {(path?: string) => Promise<Response>} next */
  async (context, next) => {
    // A page that is rendered at build time has no visitor: its language is that of its address.
    const request = context.isPrerendered ? new Request(context.url) : context.request
    const { language, timeZone, redirect, headers, url } = await handleLanguage(request, options)
    if (redirect) return redirect
    context.locals.language = language
    const path = url.pathname + url.search
    const isSame = context.isPrerendered || url.href === context.url.href
    const localizer = await createLocalizer(language, { timeZone })
    const response = await localizer.run(() => next(isSame ? undefined : path))
    const document = editDocument(response, (html) =>
      localizer.run(() => setHtmlLanguage(html, language)),
    )
    return addHeaders(document, headers)
  }
export const onRequest = createOnRequest()
