/** Current address within the console, which links and code change without loading the page. */
export interface Router {
  /** Decoded segments of the path: `['translations', 'auth', 'SIGN_IN']`. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  /** Returns the address of a page, such as `/translations/auth`, in the current project. */
  readonly href: (path: string, query?: Readonly<Record<string, string>>) => string
  readonly navigate: (href: string, options?: { readonly replace?: boolean }) => void
  /** Handles clicks on links to pages of the console. */
  readonly onclick: (event: MouseEvent) => void
}

const base = '/console'

/**
 * Creates the router. Call it while a component is initialised.
 *
 * @param mayLeave is called before the page or its project changes; it may refuse that.
 */
export function createRouter(mayLeave: (next: URL) => boolean): Router {
  let url = $state.raw(new URL(location.href))
  $effect(() => {
    const update = (): void => {
      const next = new URL(location.href)
      if (isSamePage(next) || mayLeave(next)) url = next
      else history.pushState(null, '', url)
    }
    addEventListener('popstate', update)
    return () => removeEventListener('popstate', update)
  })
  const isSamePage = ({ pathname, searchParams }: URL): boolean =>
    pathname === url.pathname && searchParams.get('project') === url.searchParams.get('project')
  const navigate: Router['navigate'] = (href, { replace = false } = {}) => {
    const next = new URL(href, location.href)
    if (!isSamePage(next) && !mayLeave(next)) return
    if (replace) history.replaceState(null, '', next)
    else history.pushState(null, '', next)
    url = next
  }
  return {
    get segments() {
      return url.pathname.slice(base.length).split('/').filter(Boolean).map(decode)
    },
    get query() {
      return url.searchParams
    },
    href: (path, query = {}) => {
      const project = url.searchParams.get('project')
      const parameters = new URLSearchParams({ ...(project !== null && { project }), ...query })
      return `${base}${path}${parameters.size > 0 ? `?${parameters}` : ''}`
    },
    navigate,
    onclick: (event) => {
      if (event.defaultPrevented || event.button !== 0 || hasModifier(event)) return
      const link = (event.target as Element).closest?.('a')
      // A link of an SVG picture has no URL as a string.
      if (!(link instanceof HTMLAnchorElement)) return
      if (link.target || link.hasAttribute('download')) return
      const next = new URL(link.href)
      if (next.origin !== location.origin || !next.pathname.startsWith(`${base}/`)) return
      // Only changes the part after #, such as the skip link.
      if (next.hash && next.pathname === url.pathname) return
      event.preventDefault()
      navigate(next.href)
    },
  }
}

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  altKey || ctrlKey || metaKey || shiftKey

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
