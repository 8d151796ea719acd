import { type BlobTransport, maxResponseBytes } from './blobs.ts'
import { BodyTooLargeError } from './transport.ts'

type OnProgress = (name: 'progress', listener: (event: { readonly loaded: number }) => void) => void

/** The members of XMLHttpRequest used here; DOM types are not loaded. */
interface Xhr {
  readonly upload: { readonly addEventListener: OnProgress }
  readonly status: number
  /** URL after redirects. */
  readonly responseURL: string
  readonly responseText: string
  readonly addEventListener: OnProgress &
    ((name: 'load' | 'error' | 'abort', listener: () => void) => void)
  readonly open: (method: string, url: string) => void
  readonly setRequestHeader: (name: string, value: string) => void
  readonly getResponseHeader: (name: string) => string | null
  readonly send: (body: unknown) => void
  readonly abort: () => void
}

/**
 * Sends uploads of pages with XMLHttpRequest, which alone reports their progress. Everything
 * else uses `fetched`, also in service workers, which have no XMLHttpRequest.
 *
 * XMLHttpRequest cannot refuse a redirect: the browser has then already sent the file to
 * the new URL, so all that is left is to report a failure. A `BlobTransport` over `fetch`
 * refuses it.
 */
export function withXhrUploads(fetched: BlobTransport): BlobTransport {
  const { XMLHttpRequest: Xhr } = globalThis as unknown as { XMLHttpRequest?: new () => Xhr }
  return {
    ...fetched,
    put: async (request) => {
      const { method = 'PUT', url, headers, body, signal, onProgress } = request
      if (!Xhr || !(body instanceof Blob || body instanceof Uint8Array)) return fetched.put(request)
      signal?.throwIfAborted()
      return new Promise((resolve, reject) => {
        const xhr = new Xhr()
        const stop = (): void => xhr.abort()
        const end = (name: 'load' | 'error' | 'abort', settle: () => void): void =>
          xhr.addEventListener(name, () => {
            signal?.removeEventListener('abort', stop)
            settle()
          })
        xhr.open(method, url)
        for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
        xhr.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
        xhr.addEventListener('progress', ({ loaded }) => {
          if (loaded <= maxResponseBytes) return
          reject(new BodyTooLargeError())
          stop()
        })
        end('load', () =>
          resolve({
            status: xhr.responseURL === new URL(url).href.replace(/#.*/s, '') ? xhr.status : 0,
            headers: { etag: xhr.getResponseHeader('etag') ?? '' },
            text: xhr.responseText,
          }),
        )
        end('error', () => reject(new Error('the connection failed')))
        end('abort', () => reject(signal?.reason as Error))
        signal?.addEventListener('abort', stop, { once: true })
        xhr.send(body)
      })
    },
  }
}
