import { ConfigError, RequestError } from '@servicekit/client'
import {
  createToolCore,
  readCredentials,
  requireService,
  resolveService,
} from '@servicekit/client/environment'
import { environmentFetch } from '@servicekit/client/proxy'
import type { ServiceOptions } from '@servicekit/contract/service'
import type { ResolvedCatalogOptions } from '../config/options.ts'
import type { ImportTarget, WriteFunction } from '../config/key-writer.ts'

/**
 * Returns a function that sends new keys to the import route of a deployed instance, in one
 * request. The instance of the option `baseUrl` also gets the credentials of the environment.
 *
 * @throws ConfigError if the URL is not valid.
 */
export function importFunction(
  { url: template, method = 'POST', headers = {}, body: bodyOf }: ImportTarget,
  options: Pick<ResolvedCatalogOptions, keyof ServiceOptions>,
): WriteFunction {
  const { baseUrl, projectKey } = options
  const filled = template
    .replaceAll('{baseUrl}', baseUrl ?? '')
    .replaceAll('{projectKey}', encodeURIComponent(projectKey ?? ''))
  if (!URL.canParse(filled) || !/^https?:$/.test(new URL(filled).protocol)) {
    throw new ConfigError(`writeTo.import.url must be an http or https URL`, {
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
        ...(await headersOf(options, url)),
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
      help:
        status === 401 || status === 403
          ? readCredentials(process.env).help
          : 'Check the option writeTo.import: its url, headers and body.',
      status,
    })
  }
}

/** Returns the headers of the service: its key, and for its own origin all others. */
async function headersOf(
  options: Pick<ResolvedCatalogOptions, keyof ServiceOptions>,
  url: URL,
): Promise<Readonly<Record<string, string>>> {
  if (options.baseUrl === undefined || options.projectKey === undefined) return {}
  const service = requireService(options)
  const { keyHeader, projectKey, headers } = resolveService(service)
  const key = { [keyHeader]: projectKey }
  if (new URL(service.baseUrl).origin !== url.origin) return key
  const credentials = readCredentials(process.env)
  const authorization = await credentials.authorization(createToolCore({ ...service, credentials }))
  return { ...headers, ...(authorization !== undefined && { authorization }) }
}
