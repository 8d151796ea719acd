import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { memoize } from '@servicekit/core'
import { notFound, problem } from './responses.ts'

/**
 * Only files of the console itself, no inline code, and no frame of another page.
 * @see https://developer.mozilla.org/docs/Web/HTTP/Headers/Content-Security-Policy
 */
const contentSecurityPolicy =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** In development, the application that is shown beside its translations. */
const localFrames = ['http', 'https'].flatMap((scheme) =>
  ['localhost', '127.0.0.1'].map((host) => `${scheme}://${host}:*`),
)

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Folders of the built pages: in the platform's build, in that of this package, and in its sources. */
const folders = ['./console/', './site/', '../../dist/site/'].map(
  (path) => new URL(path, import.meta.url),
)

/**
 * Creates the handler of the built pages, which reads each file once.
 *
 * @param storageOrigins object storage, to which the console uploads and whose files it shows.
 * @param allowLocalFrames lets the console show pages of this machine in frames.
 */
export function createStaticFiles(storageOrigins: readonly string[], allowLocalFrames: boolean) {
  const storage = ["'self'", ...storageOrigins].join(' ')
  const policy = [
    contentSecurityPolicy,
    ...(storageOrigins.length > 0
      ? ['connect', 'img', 'media'].map((kind) => `${kind}-src ${storage}`)
      : []),
    ...(allowLocalFrames ? [`frame-src 'self' ${localFrames.join(' ')}`] : []),
  ].join('; ')
  const folder = folders.find((url) => existsSync(new URL('index.html', url)))
  const assets = folder ? readdirSync(new URL('assets/', folder)) : []
  const names = new Set(['index.html', 'index.html.gz', ...assets.map((name) => `assets/${name}`)])
  const read = memoize((name: string) => new Uint8Array(readFileSync(new URL(name, folder))))
  return {
    /** Responds with a file, or with the page for a path that is none. */
    respond: ({ headers }: Request, path: string): Response => {
      if (!folder) return problem(503, 'The console is not built. Run: npm run build')
      const isAsset = path.startsWith('/assets/')
      const name = isAsset ? path.slice(1) : 'index.html'
      const contentType = contentTypes[extname(name)]
      if (!names.has(name) || contentType === undefined) return notFound()
      const isCompressed =
        names.has(`${name}.gz`) && /\bgzip\b/.test(headers.get('accept-encoding') ?? '')
      return new Response(read(isCompressed ? `${name}.gz` : name), {
        headers: {
          'content-type': contentType,
          'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
          'content-security-policy': policy,
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'referrer-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
          vary: 'Accept-Encoding',
          ...(isCompressed && { 'content-encoding': 'gzip' }),
        },
      })
    },
  }
}
