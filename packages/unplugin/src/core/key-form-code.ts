import { jsonLiteral } from '@servicekit/catalog'
import { keyPath } from './receive-key.ts'

/** Event on which a page shows the form for an unknown key. */
export const keyFormEvent = 'servicekit:key-form'

/** Unknown key with what the form shows about it. */
export interface KeyFormData {
  readonly module: string
  readonly name: string
  /** Key that the form creates. */
  readonly key: string
  readonly language: string
  /** Position of the use, for the editor: `/app/src/cart.ts:3:10`. */
  readonly position: string
  /** `true` if the module does not exist either. */
  readonly isNewModule: boolean
  /** Existing key with a similar name. */
  readonly similar:
    | { readonly name: string; readonly module: string; readonly text: string }
    | undefined
}

/**
 * Returns the code of the form that creates an unknown key from the page, used in development
 * with vite. It is in a shadow root, where styles of the page do not reach it.
 */
export const keyFormCode = (token: string): string => `const token = ${jsonLiteral(token)}
const forms = new Map()
let panel

const styles = \`
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
\`

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}
const field = (label, input) => element('label', {}, label, input)
const idOf = ({ module, name }) => JSON.stringify([module, name])

export const closeKeyForm = (unknown) => {
  forms.get(idOf(unknown))?.remove()
  forms.delete(idOf(unknown))
  if (forms.size === 0) {
    panel?.remove()
    panel = undefined
  }
}

const open = (unknown) => {
  const id = idOf(unknown)
  if (forms.has(id)) return
  const { module, key, language, similar, position, isNewModule } = unknown
  const text = element('textarea', { name: 'text', rows: 2, required: true })
  const context = element('input', { name: 'context', placeholder: 'button in the cart' })
  const maxLength = element('input', { name: 'maxLength', type: 'number', min: '1' })
  const create = element('input', { name: 'newModule', type: 'checkbox', required: true })
  const problem = element('div', { role: 'alert' })
  problem.setAttribute('role', 'alert')
  const submit = element('button', { type: 'submit' }, 'Add ' + key)
  const cancel = element('button', { type: 'button', onclick: () => closeKeyForm(unknown) }, 'Close')
  const openEditor = () => void fetch('/__open-in-editor?file=' + encodeURIComponent(position))
  const form = element(
    'form',
    {},
    ...(similar
      ? [element('div', {}, 'Did you mean ', element('code', {}, similar.name), similar.module === module ? '' : ' of ' + similar.module, similar.text ? ' (“' + similar.text + '”)' : '', '?')]
      : []),
    element('button', { type: 'button', onclick: openEditor }, similar ? 'Correct it in the editor' : 'Open in the editor'),
    element('div', {}, 'Add ', element('code', {}, key), ' to ', element('code', {}, module), ':'),
    field('Text in ' + language, text),
    field('Context for translators', context),
    field('Maximum length', maxLength),
    ...(isNewModule ? [element('label', { className: 'row' }, 'Create the module ' + module, create)] : []),
    problem,
    element('div', { className: 'row' }, cancel, submit),
  )
  form.onsubmit = async (event) => {
    event.preventDefault()
    submit.disabled = true
    problem.textContent = ''
    // With an open overlay, vite would reload the page at its first update.
    for (const overlay of document.querySelectorAll('vite-error-overlay')) overlay.remove()
    try {
      const response = await fetch(${jsonLiteral(keyPath)}, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-uilm-token': token },
        body: JSON.stringify({
          module,
          key,
          text: text.value,
          ...(context.value && { context: context.value }),
          ...(maxLength.value && { maxLength: Number(maxLength.value) }),
          ...(isNewModule && { newModules: create.checked }),
        }),
      })
      if (!response.ok) throw new Error(await response.text())
      closeKeyForm(unknown)
    } catch (error) {
      problem.textContent = error.message
      submit.disabled = false
    }
  }
  if (!panel) {
    panel = element('uilm-key-form')
    panel.attachShadow({ mode: 'open' }).append(element('style', {}, styles))
    document.body.append(panel)
  }
  forms.set(id, form)
  panel.shadowRoot.append(form)
}

import.meta.hot?.on(${jsonLiteral(keyFormEvent)}, open)
`
