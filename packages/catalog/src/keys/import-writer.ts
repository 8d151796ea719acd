import { ConfigError, RequestError } from '@servicekit/client'
import { environmentFetch } from '@servicekit/client/proxy'
import type { ResolvedCatalogOptions } from '../options.ts'
import type { ImportTarget, WriteFunction } from './key-writer.ts'

/**
 * Returns a function that sends new keys to the import route of a deployed instance, in one
 * request.
 *
 * @throws ConfigError if the project has no URL or key.
 */
export function importFunction(
  { url: template, method = 'POST', headers = {}, body: bodyOf }: ImportTarget,
  { baseUrl, projectKey }: Pick<ResolvedCatalogOptions, 'baseUrl' | 'projectKey'>,
): WriteFunction {
  const filled = template
    .replaceAll('{baseUrl}', baseUrl ?? '')
    .replaceAll('{projectKey}', encodeURIComponent(projectKey ?? ''))
  if (!URL.canParse(filled) || !/^https?:$/.test(new URL(filled).protocol)) {
    throw new ConfigError(`Option writeTo.import.url must be an http or https URL`, {
      details: { url: filled },
      ...(baseUrl === undefined ? { help: 'Set the option baseUrl, or write the whole URL.' } : {}),
    })
  }
  const url = new URL(filled)
  return async (drafts, { language, signal }) => {
    const body = bodyOf ? bodyOf(drafts, language) : drafts.map((draft) => ({ ...draft, language }))
    const isJson = typeof body !== 'string' && !(body instanceof FormData)
    const response = await environmentFetch()(url, {
      method,
      signal,
      // A redirect could lead to another origin, which must not receive the key.
      redirect: 'manual',
      headers: {
        ...(projectKey === undefined ? {} : { 'x-service-key': projectKey }),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : body,
    }).catch((cause: unknown) => {
      throw new RequestError('Cannot reach the import route', {
        code: signal.aborted ? 'REQUEST_ABORTED' : 'REQUEST_FAILED',
        details: { url: url.origin + url.pathname },
        cause,
      })
    })
    await response.body?.cancel()
    if (response.ok) return
    const { status } = response
    throw new RequestError('The import route refused the new keys', {
      code: 'REQUEST_REFUSED',
      details: { url: url.origin + url.pathname, status },
      help: 'Check the option writeTo.import: its url, headers and body.',
      status,
    })
  }
}
