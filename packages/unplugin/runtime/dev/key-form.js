// Form that creates an unknown key from the page, in development with vite. It is in a shadow root,
// where styles of the page do not reach it.
import { keyFormEvent, keyPath, token } from './settings.js'

/**
 * @typedef {import('../../src/core/key-form-data.ts').KeyFormData} KeyFormData
 * @typedef {Pick<KeyFormData, 'module' | 'name'>} UnknownKey
 */

/** Open forms by key. @type {Map<string, HTMLFormElement>} */
const forms = new Map()
/** Element around the forms. @type {HTMLElement | undefined} */
let panel

const styles = `
:host { all: initial; position: fixed; inset: auto 1rem 1rem auto; z-index: 100000; width: min(26rem, calc(100vw - 2rem)); max-height: 80vh; overflow: auto; font: 14px/1.5 system-ui, sans-serif; color: #222 }
form { background: #fff; border: 1px solid #999; border-radius: 6px; box-shadow: 0 4px 16px #0006; padding: 12px; margin-top: 8px; display: grid; gap: 8px }
code { font: 13px ui-monospace, monospace }
label { display: grid; gap: 2px }
input, textarea, button { font: inherit; padding: 4px 8px; border: 1px solid #888; border-radius: 4px; background: #fff; color: #222 }
button { cursor: pointer }
button[type=submit] { background: #1a5fb4; border-color: #1a5fb4; color: #fff }
.row { display: flex; gap: 8px; justify-content: space-between }
[role=alert] { color: #a00; white-space: pre-wrap }
[role=alert]:empty { display: none }
`

/**
 * Creates an element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, unknown>>} [properties]
 * @param {(string | Node)[]} children
 */
const element = (name, properties = {}, ...children) => {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}
const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) =>
  element('label', {}, label, input)
const idOf = (/** @type {UnknownKey} */ { module, name }) => JSON.stringify([module, name])

/** Closes the form of a key. */
export const closeKeyForm = (/** @type {UnknownKey} */ unknown) => {
  forms.get(idOf(unknown))?.remove()
  forms.delete(idOf(unknown))
  if (forms.size > 0) return
  panel?.remove()
  panel = undefined
}

/** Opens the form of a key. */
const open = (/** @type {KeyFormData} */ unknown) => {
  const id = idOf(unknown)
  if (forms.has(id)) return
  if (!panel) {
    panel = document.createElement('uilm-key-form')
    panel.attachShadow({ mode: 'open' }).append(element('style', {}, styles))
    document.body.append(panel)
  }
  const form = createForm(unknown)
  forms.set(id, form)
  panel.shadowRoot?.append(form)
}

const createForm = (/** @type {KeyFormData} */ unknown) => {
  const { module, key, language, similar, position, isNewModule } = unknown
  const text = element('textarea', { name: 'text', rows: 2, required: true })
  const context = element('input', { name: 'context', placeholder: 'button in the cart' })
  const maxLength = element('input', { name: 'maxLength', type: 'number', min: '1' })
  const newModule = element('input', { name: 'newModule', type: 'checkbox', required: true })
  const problem = element('div', { role: 'alert' })
  const submit = element('button', { type: 'submit' }, `Add ${key}`)
  const close = () => closeKeyForm(unknown)
  const openEditor = () => void fetch(`/__open-in-editor?file=${encodeURIComponent(position)}`)
  const form = element(
    'form',
    {},
    ...(similar ? [suggestion(similar, module)] : []),
    element(
      'button',
      { type: 'button', onclick: openEditor },
      similar ? 'Correct it in the editor' : 'Open in the editor',
    ),
    element('div', {}, 'Add ', element('code', {}, key), ' to ', element('code', {}, module), ':'),
    field(`Text in ${language}`, text),
    field('Context for translators', context),
    field('Maximum length', maxLength),
    ...(isNewModule
      ? [element('label', { className: 'row' }, `Create the module ${module}`, newModule)]
      : []),
    problem,
    element(
      'div',
      { className: 'row' },
      element('button', { type: 'button', onclick: close }, 'Close'),
      submit,
    ),
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    submit.disabled = true
    problem.textContent = ''
    // With an open overlay, vite would reload the page at its first update.
    for (const overlay of document.querySelectorAll('vite-error-overlay')) overlay.remove()
    try {
      await sendKey({
        module,
        key,
        text: text.value,
        ...(context.value && { context: context.value }),
        ...(maxLength.value && { maxLength: Number(maxLength.value) }),
        ...(isNewModule && { newModules: newModule.checked }),
      })
      close()
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error)
      submit.disabled = false
    }
  })
  return form
}

const suggestion = (
  /** @type {NonNullable<KeyFormData['similar']>} */ { name, module, text },
  /** @type {string} */ wanted,
) =>
  element(
    'div',
    {},
    'Did you mean ',
    element('code', {}, name),
    module === wanted ? '' : ` of ${module}`,
    text ? ` (“${text}”)` : '',
    '?',
  )

const sendKey = async (/** @type {object} */ draft) => {
  const response = await fetch(keyPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-uilm-token': token },
    body: JSON.stringify(draft),
  })
  if (!response.ok) throw new Error(await response.text())
}

import.meta.hot?.on(keyFormEvent, open)
