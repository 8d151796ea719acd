import type { ResolvedOptions } from '../options.ts'
import type { ForeignPage } from './caller.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Tells a request that a page of another site made its visitor's browser send,
 * from the headers that pages cannot forge: Origin and Referer, and where both
 * are withheld `Sec-Fetch-Site`. A request without any of them is no browser's.
 *
 * Without registered origins, pages of this machine may use cookies on this
 * machine, and nobody else.
 *
 * @param own where the browser reaches the platform.
 */
export function foreignPage(
  request: Request,
  own: URL,
  { origins }: Pick<ResolvedOptions, 'origins'>,
): ForeignPage | undefined {
  const named = request.headers.get('origin') ?? originOf(request.headers.get('referer'))
  if (named !== undefined) {
    return isAllowed(named, own, origins) ? undefined : refusal(`The origin ${named}`)
  }
  return request.headers.get('sec-fetch-site') === 'cross-site'
    ? refusal('A page of another site')
    : undefined
}

const refusal = (who: string): ForeignPage => ({
  reason: 'foreignPage',
  message: `${who} is not registered.`,
})

function isAllowed(origin: string, own: URL, origins: ResolvedOptions['origins']): boolean {
  if (origin === own.origin) return true
  if (origins !== '*') return origins.has(origin)
  return isLoopback(own.origin) && isLoopback(origin)
}

const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && loopback.has(new URL(origin).hostname)

function originOf(referer: string | null): string | undefined {
  if (referer === null) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : referer
}
