import { isLoopbackUrl } from '@servicekit/core'
import { jsonLiteral } from '@servicekit/catalog'
import type { InspectOptions } from '../options.ts'

/** Settings of the inspector in the page. */
export interface InspectorSettings {
  readonly modifier: NonNullable<InspectOptions['modifier']>
  /** URL template of a key with `{module}`, `{key}` and `{language}`. */
  readonly address: string | undefined
}

/** Page of a key on a local platform. */
const platformPage = '/_platform/projects/{projectKey}/keys/{module}/{key}?language={language}'

/** Fills in the placeholders that only the plugin knows. */
export function inspectorSettings(
  { modifier = 'alt', address }: InspectOptions,
  project: { readonly baseUrl: string | undefined; readonly projectKey: string | undefined },
): InspectorSettings {
  const { baseUrl, projectKey } = project
  const isLocal = baseUrl !== undefined && projectKey !== undefined && isLoopbackUrl(baseUrl)
  const template = address ?? (isLocal ? new URL(baseUrl).origin + platformPage : undefined)
  return {
    modifier,
    address: template
      ?.replaceAll('{baseUrl}', project.baseUrl ?? '')
      .replaceAll('{projectKey}', encodeURIComponent(project.projectKey ?? '')),
  }
}

/**
 * Returns the code of the inspector, which is used in development. It records the key of
 * each text, so that a click on a text finds its key wherever a framework has put it.
 * Alt+Shift+K or `uilm.showKeys()` shows keys in place of texts.
 */
export const inspectorCode = ({ modifier, address }: InspectorSettings): string =>
  `import { changed, getLanguage } from '~uilm'

const most = 5000
const places = new Map()
const page = globalThis.document
const storage = 'uilm-show-keys'
const modifier = ${jsonLiteral(modifier)}
const address = ${jsonLiteral(address ?? '')}

const remembered = () => {
  try {
    return sessionStorage.getItem(storage) === 'true'
  } catch {
    return false
  }
}
let keys = page ? remembered() : false

export const inspected = (say, module, key) => (args) => {
  // Called in any case: frameworks track what is read.
  // A key that was deleted while the page is open has no text any more.
  const text = say(args) ?? key
  if (!page) return text
  const shown = keys ? key : text
  const place = shown.replaceAll(/\\s+/g, ' ').trim()
  places.delete(place)
  places.set(place, { module, key })
  if (places.size > most) places.delete(places.keys().next().value)
  return shown
}

const showKeys = (on = !keys) => {
  keys = on
  try {
    sessionStorage.setItem(storage, String(on))
  } catch {
    // Forgotten with the page.
  }
  changed()
}

const textsOf = (element) =>
  [element.textContent, element.value, ...['placeholder', 'title', 'aria-label', 'alt'].map((name) => element.getAttribute?.(name))]
    .filter((text) => typeof text === 'string')
    .map((text) => text.replaceAll(/\\s+/g, ' ').trim())

/** The key of the text that is all of an element, else of the longest that is part of it. */
const find = (target) => {
  for (const text of textsOf(target)) if (places.has(text)) return places.get(text)
  let best = ''
  for (const text of textsOf(target)) {
    for (const place of places.keys()) {
      if (place.length > best.length && text.includes(place)) best = place
    }
  }
  return places.get(best)
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
      globalThis.navigator.clipboard?.writeText(key).catch(() => undefined)
      page.dispatchEvent(new CustomEvent('uilm-key', { detail: { module, key, language: getLanguage() } }))
      console.info('[uilm] ' + key + ' of ' + module)
      if (address) {
        const values = { module, key, language: getLanguage() }
        globalThis.open(address.replaceAll(/\\{(module|key|language)\\}/g, (_, name) => encodeURIComponent(values[name])), '_blank', 'noopener')
      }
    },
    true,
  )
  page.addEventListener('keydown', (event) => {
    if (event.altKey && event.shiftKey && event.code === 'KeyK') showKeys()
  })
}
if (page) globalThis.uilm = { showKeys }
`
