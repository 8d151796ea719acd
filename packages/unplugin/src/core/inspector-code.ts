import { isLoopbackUrl } from '@servicekit/core'
import { jsonLiteral } from '@servicekit/catalog'
import type { InspectOptions } from '../options.ts'

/** Settings of the inspector in the page. */
export interface InspectorSettings {
  readonly modifier: NonNullable<InspectOptions['modifier']>
  /** URL template of a key with `{module}`, `{key}` and `{language}`. */
  readonly url: string | undefined
  /** Origins of the console that may show the page in a frame and see its keys. */
  readonly consoles: readonly string[]
}

/** Page of a key in the console of a local platform. */
const platformPage = '/console/translations/{module}/{key}?project={projectKey}&language={language}'

/** Fills in the placeholders that only the plugin knows. */
export function inspectorSettings(
  { modifier = 'alt', url }: InspectOptions,
  project: { readonly baseUrl: string | undefined; readonly projectKey: string | undefined },
): InspectorSettings {
  const { baseUrl, projectKey } = project
  const isLocal = baseUrl !== undefined && projectKey !== undefined && isLoopbackUrl(baseUrl)
  const { protocol, port } = isLocal ? new URL(baseUrl) : {}
  const template = url ?? (isLocal ? new URL(baseUrl).origin + platformPage : undefined)
  return {
    modifier,
    url: template
      ?.replaceAll('{baseUrl}', project.baseUrl ?? '')
      .replaceAll('{projectKey}', encodeURIComponent(project.projectKey ?? '')),
    consoles: isLocal
      ? ['localhost', '127.0.0.1'].map((host) => `${protocol}//${host}:${port}`)
      : [],
  }
}

/**
 * Returns the code of the inspector, which is used in development. It records the key of
 * each text, so that a click on a text finds its key wherever a framework has put it.
 * Alt+Shift+K or `uilm.showKeys()` shows keys instead of texts.
 */
export const inspectorCode = ({ modifier, url, consoles }: InspectorSettings): string =>
  `import { changed, getLanguage } from '~uilm'

const maxTexts = 5000
const keysByText = new Map()
const page = globalThis.document
const storageKey = 'uilm-show-keys'
const modifier = ${jsonLiteral(modifier)}
const url = ${jsonLiteral(url ?? '')}
const consoles = ${jsonLiteral(consoles)}

const readStored = () => {
  try {
    return sessionStorage.getItem(storageKey) === 'true'
  } catch {
    return false
  }
}
let areKeysShown = page ? readStored() : false

export const inspected = (message, module, key) => (args) => {
  // Always called, because frameworks track what is read.
  // Returns nothing for a key that was deleted while the page is open.
  const translation = message(args) ?? key
  if (!page) return translation
  const shown = areKeysShown ? key : translation
  // The texts of a message with tags are in several elements.
  if (Array.isArray(shown)) {
    for (const part of shown) if (typeof part === 'string' && part.trim()) record(part, module, key)
    return shown
  }
  record(shown, module, key)
  return shown
}

const messages = new Map()
/** Creates the messages of a module, each once for all modules that import it. */
export const creator = (module, create, pack) => (name, key = name, wrap) => {
  const id = module + '/' + name
  const known = messages.get(id)
  if (known && known.wrap === wrap) return known.message
  const found = inspected(create(pack, name), module, key)
  const message = wrap ? wrap(found) : found
  messages.set(id, { wrap, message })
  return message
}

const record = (shown, module, key) => {
  const text = normalise(shown)
  keysByText.delete(text)
  keysByText.set(text, { module, key })
  if (keysByText.size > maxTexts) keysByText.delete(keysByText.keys().next().value)
}

const showKeys = (on = !areKeysShown) => {
  areKeysShown = on
  try {
    sessionStorage.setItem(storageKey, String(on))
  } catch {
    // Storage may be forbidden.
  }
  changed()
}

const normalise = (text) => text.replaceAll(/\\s+/g, ' ').trim()
const textsOf = (element) =>
  [element.textContent, element.value, ...['placeholder', 'title', 'aria-label', 'alt'].map((name) => element.getAttribute?.(name))]
    .filter((text) => typeof text === 'string')
    .map(normalise)

/** Returns the key of the whole text of an element, or else of the longest part of it. */
const find = (target) => {
  const texts = textsOf(target)
  const whole = texts.find((text) => keysByText.has(text))
  const parts = [...keysByText.keys()].filter((part) => texts.some((text) => text.includes(part)))
  return keysByText.get(whole ?? parts.sort((a, b) => b.length - a.length)[0])
}

if (page && modifier !== 'none') {
  page.addEventListener(
    'click',
    (event) => {
      const found = event[modifier + 'Key'] && event.target instanceof Element && find(event.target)
      if (!found) return
      event.preventDefault()
      event.stopPropagation()
      const { module, key } = found
      page.dispatchEvent(new CustomEvent('uilm-key', { detail: { module, key, language: getLanguage() } }))
      console.info('[uilm] ' + key + ' of ' + module)
      if (connected) {
        post('uilm:open', found)
        return
      }
      globalThis.navigator.clipboard?.writeText(key).catch(() => undefined)
      if (url) {
        const values = { module, key, language: getLanguage() }
        globalThis.open(url.replaceAll(/\\{(module|key|language)\\}/g, (_, name) => encodeURIComponent(values[name])), '_blank', 'noopener')
      }
    },
    true,
  )
  page.addEventListener('keydown', (event) => {
    if (event.altKey && event.shiftKey && event.code === 'KeyK') showKeys()
  })
}
if (page) globalThis.uilm = { showKeys }

/** Origin of the console that shows this page in a frame. */
let connected
const post = (type, key) => globalThis.parent.postMessage({ type, ...key, language: getLanguage() }, connected)

/** Marks the elements that show a key; none without keys. */
const mark = ({ module, keys = [] }) => {
  for (const element of page.querySelectorAll('[data-uilm-shown]')) element.removeAttribute('data-uilm-shown')
  const texts = [...keysByText].filter(([, one]) => one.module === module && keys.includes(one.key)).map(([text]) => text)
  if (texts.length === 0) return
  const elements = [...page.body.querySelectorAll('*:not(script, style)')]
  const isWhole = (element) => textsOf(element).some((text) => texts.includes(text))
  const isPart = (element) => textsOf(element).some((text) => texts.some((one) => one !== '' && text.includes(one)))
  const whole = elements.filter(isWhole)
  const found = whole.length > 0 ? whole : elements.filter(isPart)
  const innermost = found.filter((one) => !found.some((other) => other !== one && one.contains(other)))
  for (const element of innermost) element.setAttribute('data-uilm-shown', '')
  innermost[0]?.scrollIntoView({ block: 'nearest' })
}

if (page && consoles.length > 0 && globalThis.parent !== globalThis) {
  let hovered = ''
  const hover = (found) => {
    const id = found ? found.module + '/' + found.key : ''
    if (!connected || id === hovered) return
    hovered = id
    post('uilm:hover', found)
  }
  page.addEventListener('mouseover', ({ target }) => hover(target instanceof Element && find(target)))
  page.documentElement.addEventListener('mouseleave', () => hover())
  globalThis.addEventListener('message', ({ data, origin, source }) => {
    if (source !== globalThis.parent || !consoles.includes(origin)) return
    if (data?.type === 'uilm:connect') {
      connected = origin
      post('uilm:connected')
    } else if (data?.type === 'uilm:mark') mark(data)
  })
  const style = new CSSStyleSheet()
  style.replaceSync('[data-uilm-shown] { outline: 3px solid #8250df !important; outline-offset: 2px !important }')
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, style]
  // Says only that the page is there: its console is not known yet.
  globalThis.parent.postMessage({ type: 'uilm:ready' }, '*')
}
`
