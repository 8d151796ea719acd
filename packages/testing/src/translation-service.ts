import { createHash } from 'node:crypto'
import { createCore, fetchTransport } from '@servicekit/client'
import { type CatalogOptions, openProject, type Project } from '@servicekit/catalog'
import { serviceSource } from '../../catalog/src/sources/source.ts'

/** Responses of {@link fakeService}. Tests may change them. */
interface Served {
  languages: unknown
  /** Undefined: the service has no such route. */
  modules: unknown
  /** Body by `language/module`; missing entries have an empty body. */
  files: Map<string, unknown>
  sendsEtags: boolean
  /** Returns a response that replaces the normal one; undefined for the normal one. */
  instead: ((url: URL, request: Request) => Response | Promise<Response> | undefined) | undefined
}

export interface Fake {
  readonly served: Served
  /** URL of every request, and its `if-none-match` condition. */
  readonly requests: { readonly url: URL; readonly condition: string | null }[]
  readonly fetch: (request: Request) => Promise<Response>
}

const listOf = (value: unknown): Response =>
  value === undefined ? new Response('', { status: 404 }) : Response.json(value)

/** Creates an in-process service with configurable responses. */
export function fakeService(files: Record<string, unknown>): Fake {
  const places = Object.keys(files).map((place): [string, string] => {
    const slash = place.indexOf('/')
    return [place.slice(0, slash), place.slice(slash + 1)]
  })
  const codes = [...new Set(places.map(([code]) => code))]
  const served: Served = {
    languages: codes.map((languageCode, index) => ({
      itemId: `l${index}`,
      languageCode,
      languageName: `Language ${languageCode}`,
      isDefault: index === 0,
    })),
    modules: [...new Set(places.map(([, module]) => module))].map((moduleName) => ({ moduleName })),
    files: new Map(Object.entries(files)),
    sendsEtags: false,
    instead: undefined,
  }
  const requests: Fake['requests'] = []
  return {
    served,
    requests,
    async fetch(request) {
      const url = new URL(request.url)
      const condition = request.headers.get('if-none-match')
      requests.push({ url, condition })
      const other = await served.instead?.(url, request)
      if (other) return other
      if (url.pathname.endsWith('/Language/Gets')) return listOf(served.languages)
      if (url.pathname.endsWith('/Module/Gets')) return listOf(served.modules)
      const { searchParams: query } = url
      const body = served.files.get(`${query.get('Language')}/${query.get('ModuleName')}`)
      if (body === undefined) return new Response('')
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      if (!served.sendsEtags) return new Response(text)
      const etag = `"${createHash('sha1').update(text).digest('hex')}"`
      const headers = { etag }
      return condition === etag
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers })
    },
  }
}

/** Creates a project over an in-process service. Its pauses take no time. */
export function projectOver(
  fetch: Fake['fetch'],
  options: CatalogOptions & { readonly root: string },
  environment: Readonly<Record<string, string>> = {},
): Project {
  const instance = { baseUrl: 'http://platform.test', projectKey: 'P1', ...options }
  const core = createCore({
    baseUrl: instance.baseUrl,
    projectKey: instance.projectKey,
    transport: fetchTransport(fetch),
    runtime: { sleep: async () => undefined },
  })
  const source = serviceSource(core, {
    family: options.family ?? 'localization',
    modules: options.modules,
  })
  const clock = { now: Date.now, sleep: async () => undefined }
  return openProject(instance, { source, clock, environment })
}
