import { missingMarker } from '@servicekit/contract'
import { html, raw } from 'hono/html'
import { type ListedKey, listKeys } from '../localization/list-keys.ts'
import { readLanguages } from '../localization/read-catalog.ts'
import { type Control, onProject } from './control-call.ts'
import { formNames, pluralForms } from './plural-forms.ts'

/** Saves edits and shows the result. Field values are never inserted as markup. */
const script = `
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const fields = [...form.querySelectorAll('textarea')]
const changed = () => fields.filter((field) => field.value !== field.defaultValue)
const say = (text, isFault = false) => {
  status.textContent = text
  status.classList.toggle('fault', isFault)
}
const { texts, module } = form.dataset
const save = async () => {
  const edits = changed()
  if (edits.length === 0) return say('Nothing has changed.')
  say('Saving …')
  try {
    const response = await fetch(texts, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(edits.map(({ lang: language, name: key, value }) => ({ language, module, key, value }))),
    })
    if (!response.ok) throw new Error((await response.json()).title ?? response.statusText)
    for (const field of edits) {
      field.defaultValue = field.value
      field.classList.toggle('missing', field.value === '')
    }
    say('Saved. Open pages show it now.')
  } catch (error) {
    say('Not saved: ' + error.message, true)
  }
}
form.addEventListener('submit', (event) => { event.preventDefault(); void save() })
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); void save() }
})
form.addEventListener('input', () => say(changed().length > 0 ? 'Not saved yet.' : ''))
addEventListener('beforeunload', (event) => { if (changed().length > 0) event.preventDefault() })
`

const style = `
:root { color-scheme: light dark; --ink: #1a1d24; --soft: #5b6270; --line: #c9ced8; --paper: #fff; --back: #eef1f6; --act: #2146c7; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeff4; --soft: #a7aebc; --line: #474e5c; --paper: #1c2029; --back: #12151b; --act: #9db4ff; --bad: #ffb4ab; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }
p { margin: 0; color: var(--soft); }
h1 { margin: 0 0 1.5rem; font-size: 1.4rem; overflow-wrap: anywhere; white-space: pre-wrap; }
fieldset { margin: 0 0 1.4rem; padding: 0; border: 0; }
legend { padding: 0; margin: 0 0 .4rem; font-weight: 600; }
fieldset label { font-weight: 400; }
label { display: flex; flex-wrap: wrap; gap: 0 .5rem; align-items: baseline; margin: 0 0 .3rem; font-weight: 600; }
small { color: var(--soft); font-weight: 400; }
textarea { width: 100%; margin: 0 0 1.1rem; padding: .6rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .6rem; resize: vertical; field-sizing: content; min-height: 2.9rem; }
textarea::placeholder { color: var(--soft); opacity: 1; font-style: italic; }
textarea.missing { border-style: dashed; }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
footer { display: flex; gap: 1rem; align-items: center; }
button { padding: .6rem 1.4rem; font: inherit; font-weight: 600; color: var(--paper); background: var(--act); border: 0; border-radius: .6rem; cursor: pointer; }
.fault { color: var(--bad); }
`

/** Translation in one language; one plural form if the key has several. */
interface Field {
  readonly key: string
  /** Plural form; empty if the key has none. */
  readonly form: string
  /** Sample numbers that select the form. */
  readonly examples: readonly number[]
  readonly text: string
  readonly isAsked: boolean
}

interface Language {
  readonly code: string
  readonly name: string
  readonly isDefault: boolean
  readonly fields: readonly Field[]
}

interface KeyView {
  readonly projectName: string
  readonly module: string
  readonly key: string
  /** URL to which translations are saved. */
  readonly texts: string
  /** Undefined if the key does not exist. */
  readonly languages: readonly Language[] | undefined
}

/** Renders the edit page of one key, with its translation in each language. */
function keyPage({ projectName, module, key, texts, languages }: KeyView, nonce: string): Response {
  const form = html`<form data-texts="${texts}" data-module="${module}">
    ${languages?.map((language) => languageOf(language))}
    <footer>
      <button>Save</button>
      <p role="status"></p>
    </footer>
  </form>`
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link rel="icon" href="data:," />
      <title>${key} – ${projectName}</title>
      <style nonce="${nonce}">
        ${raw(style)}
      </style>
      <main>
        <p>${projectName} / ${module}</p>
        <h1>${key}</h1>
        ${languages ? form : html`<p role="status" class="fault">There is no such key.</p>`}
      </main>
      ${languages ? raw(`<script type="module" nonce="${nonce}">${script}</script>`) : ''}
    </html>`
  return new Response(String(page), {
    status: languages ? 200 : 404,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; connect-src 'self'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}

function languageOf({ code, name, isDefault, fields }: Language) {
  const facts = html`<small>${code}${isDefault ? ', default' : ''}</small>`
  const [first] = fields
  if (first?.form === '') return fieldOf(first, code, html`${name} ${facts}`)
  return html`<fieldset>
    <legend>${name} ${facts}</legend>
    ${fields.map((field) => {
      const { form, examples } = field
      const label = html`${form.replace('_', ' ')} <small>${numbersOf(form, examples)}</small>`
      return fieldOf(field, code, label)
    })}
  </fieldset>`
}

function numbersOf(form: string, examples: readonly number[]): string {
  if (examples.length > 0)
    return examples.length < 3 ? examples.join(', ') : `${examples.join(', ')} …`
  // i18next accepts a zero form in any language.
  return form.endsWith('zero') ? '0' : 'no number of this language'
}

function fieldOf(
  { key, form, text, isAsked }: Field,
  code: string,
  label: ReturnType<typeof html>,
) {
  const id = `${code}-${form}`
  // HTML parsers drop the first line break in a textarea.
  return html`<label for="${id}">${label}</label
    ><textarea
      id="${id}"
      name="${key}"
      lang="${code}"
      dir="${directionOf(code)}"
      rows="1"
      placeholder="Not translated"
      class="${text === '' ? 'missing' : ''}"
      ${raw(isAsked ? 'autofocus' : '')}
    >
${text}</textarea>`
}

/** Returns the direction of the language's script, or `auto` if it is unknown. */
function directionOf(code: string): 'ltr' | 'rtl' | 'auto' {
  try {
    const { script = '' } = new Intl.Locale(code.replaceAll('_', '-')).maximize()
    return /^(?:Adlm|Arab|Aran|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa)$/.test(script) ? 'rtl' : 'ltr'
  } catch {
    return 'auto'
  }
}

/** Route of the page that opens when a developer clicks a message in development. */
export function keyPageRoutes(control: Control): void {
  onProject(control, 'GET /keys/:module/:name', async ({ project, param, query, snapshot }) => {
    const [module, key] = [param('module'), param('name')]
    const { items, languages } = await snapshot(async (tables) => {
      const find = async (keys: readonly string[]) =>
        (await listKeys(tables, { module, keys, page: 1, pageSize: keys.length })).items
      const own = await find([key])
      return {
        items: own.length > 0 ? own : await find(formNames.map((form) => `${key}_${form}`)),
        languages: await readLanguages(tables),
      }
    })
    const first = languages.find(({ isDefault }) => isDefault)
    const shown = languages
      // The `key` pseudo-language has no translations of its own.
      .filter(({ languageCode, isDraft }) => !isDraft && languageCode !== 'key')
      .map(({ languageCode: code, languageName: name }) => ({
        code,
        name,
        isDefault: code === first?.languageCode,
        fields: fieldsOf(key, items, code).map((field, index) => ({
          ...field,
          isAsked: code === query['language'] && index === 0,
        })),
      }))
    return keyPage(
      {
        projectName: project.name,
        module,
        key,
        texts: `/_platform/projects/${encodeURIComponent(project.key)}/texts`,
        languages: items.length > 0 ? shown : undefined,
      },
      crypto.randomUUID(),
    )
  })
}

/** Returns the fields to show for a key in one language, in plural order. */
function fieldsOf(
  key: string,
  items: readonly ListedKey[],
  code: string,
): readonly Omit<Field, 'isAsked'>[] {
  const forms = pluralForms(code)
  const fields = items.map((item) => {
    const form = item.key.slice(key.length + 1)
    const stored = item.texts[code] ?? ''
    return {
      key: item.key,
      form,
      examples: forms.get(form)?.examples ?? [],
      // Show a missing translation as an empty field, not as its marker.
      text: stored === missingMarker ? '' : stored,
    }
  })
  return fields
    .filter(({ form, examples, text }) => form === '' || examples.length > 0 || text !== '')
    .toSorted((one, other) => formNames.indexOf(one.form) - formNames.indexOf(other.form))
}
