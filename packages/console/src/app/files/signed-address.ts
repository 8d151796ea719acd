/** Parts of a URL that the platform signed. */
export interface SignedAddress {
  /** Method that the URL permits. */
  readonly method: string
  readonly fileId: string
  readonly fileName: string
  readonly expiresAt: Date
  /** Maximum bytes of an upload. */
  readonly limitBytes: number
}

/** Reads a URL that the platform signed; undefined for any other URL. */
export function readSignedAddress(text: string): SignedAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const { pathname, searchParams } = new URL(text)
  const [, path = ''] = pathname.split('/_platform/objects/')
  const [, fileId, fileName] = path.split('/').map(decodeURIComponent)
  const method = searchParams.get('method')
  const expires = Number(searchParams.get('expires') ?? NaN)
  if (!fileId || !fileName || method === null || !Number.isFinite(expires)) return undefined
  if (!searchParams.has('signature')) return undefined
  const limitBytes = Number(searchParams.get('limit'))
  return { method, fileId, fileName, expiresAt: new Date(expires * 1000), limitBytes }
}

/** Changes of a signed URL that the platform must refuse. */
export const tamperings = {
  /** Extends the time by a day. */
  later: (url: URL) => {
    const expires = Number(url.searchParams.get('expires')) + 24 * 3600
    url.searchParams.set('expires', String(expires))
  },
  /** Asks for another file. */
  otherFile: (url: URL) => {
    const segments = url.pathname.split('/')
    segments[4] = `${segments[4]}0`
    url.pathname = segments.join('/')
  },
  /** Changes one character of the signature. */
  signature: (url: URL) => {
    const signature = url.searchParams.get('signature') ?? ''
    const [first = ''] = signature
    url.searchParams.set('signature', `${first === 'A' ? 'B' : 'A'}${signature.slice(1)}`)
  },
} as const satisfies Readonly<Record<string, (url: URL) => void>>

export type Tampering = keyof typeof tamperings

/** Returns a changed copy of a URL. */
export function tamper(text: string, how: Tampering): string {
  const url = new URL(text)
  tamperings[how](url)
  return url.href
}
