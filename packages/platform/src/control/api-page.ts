/**
 * Script of the page that renders `/openapi.json`. Inserts strings as text nodes, never
 * as markup.
 */
const script = `
const el = (name, props = {}, ...children) => {
  const node = Object.assign(document.createElement(name), props)
  node.append(...children)
  return node
}
const resolve = (spec, schema) => {
  const ref = schema?.$ref
  return ref ? ref.slice(2).split('/').reduce((at, part) => at?.[part], spec) : schema
}
const sample = (spec, given, depth = 0) => {
  const schema = resolve(spec, given) ?? {}
  if (depth > 4) return null
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const one = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0]
  if (one) return sample(spec, one, depth + 1)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || schema.properties) {
    const required = schema.required ?? []
    return Object.fromEntries(Object.entries(schema.properties ?? {})
      .filter(([name]) => required.includes(name) || depth === 0)
      .map(([name, part]) => [name, sample(spec, part, depth + 1)]))
  }
  if (type === 'array') return []
  return { string: '', number: 0, integer: 0, boolean: false }[type] ?? null
}
const key = document.querySelector('#key')
key.value = localStorage.getItem('x-service-key') ?? ''
key.addEventListener('input', () => localStorage.setItem('x-service-key', key.value))
// The projects are told to this machine alone, or to nobody where there is a control token.
const projects = await fetch('/_platform/projects').then((answer) => (answer.ok ? answer.json() : []), () => [])
const own = projects.filter((project) => project.key !== 'servicekit-shared')
document.querySelector('#keys').append(...own.map((project) => el('option', { value: project.key, label: project.name })))
if (key.value === '' && own.length > 0) key.value = own[0].key
// A sentence of the document, with what stands between back quotes as code.
const prose = (text) => text.split('\`').map((part, index) => (index % 2 ? el('code', { textContent: part }) : part))
const labelled = (text, field, note = '') => {
  field.id = 'field-' + (labelled.count = (labelled.count ?? 0) + 1)
  return el('p', { className: 'field' },
    el('label', { htmlFor: field.id }, text, ' ', el('small', { textContent: note })), field)
}
const tryIt = (spec, method, path, operation) => {
  const fields = (operation.parameters ?? []).filter((one) => one.in !== 'header').map((one) => {
    const input = el('input', { required: one.required === true && one.in === 'path', autocomplete: 'off' })
    if (one.name.toLowerCase().replace('_', '') === 'projectkey') input.value = key.value
    return { one, input }
  })
  const [media, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const value = content ? sample(spec, content.schema) : undefined
  const isForm = media === 'application/x-www-form-urlencoded'
  const body = content && el('textarea', {
    rows: 8,
    value: isForm ? new URLSearchParams(value).toString() : JSON.stringify(value, null, 2),
  })
  const output = el('pre', { tabIndex: 0, hidden: true })
  output.setAttribute('role', 'status')
  output.setAttribute('aria-label', 'Answer')
  const show = (text, isFault) => {
    output.hidden = false
    output.textContent = text
    output.classList.toggle('fault', isFault)
  }
  const send = async () => {
    let address = path
    const query = new URLSearchParams()
    for (const { one, input } of fields) {
      if (one.in === 'path') address = address.replace('{' + one.name + '}', encodeURIComponent(input.value))
      else if (input.value !== '') query.set(one.name, input.value)
    }
    const headers = { accept: 'application/json' }
    if (key.value) headers['x-service-key'] = key.value
    if (body) headers['content-type'] = media
    try {
      const response = await fetch(address + (query.size ? '?' + query : ''), {
        method, headers, credentials: 'include', body: body?.value,
      })
      const text = await response.text()
      let shown = text
      try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
      show(response.status + ' ' + response.statusText + '\\n' + shown, !response.ok)
    } catch (error) {
      show(String(error), true)
    }
  }
  return el('form', { onsubmit: (event) => { event.preventDefault(); void send() } },
    ...fields.map(({ one, input }) =>
      labelled(one.name, input, [one.in, ...(one.required ? ['required'] : [])].join(', '))),
    ...(body ? [labelled('Body', body, media)] : []),
    el('button', { textContent: 'Send' }), output)
}
const spec = await (await fetch('/openapi.json')).json()
document.querySelector('h1').textContent = spec.info.title
const main = document.querySelector('main')
main.replaceChildren()
const groups = new Map()
const rows = []
const groupOf = (tag) => {
  if (!groups.has(tag)) {
    const section = el('section', {}, el('h2', { textContent: tag }))
    groups.set(tag, section)
    main.append(section)
  }
  return groups.get(tag)
}
for (const [path, methods] of Object.entries(spec.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const details = el('details', { id: operation.operationId },
      el('summary', {}, el('b', { textContent: method.toUpperCase() }),
        el('code', { textContent: path }), el('small', { textContent: operation.summary ?? '' })))
    details.addEventListener('toggle', () => {
      if (details.childElementCount > 1) return
      details.append(
        el('p', {}, ...prose(operation.description ?? '')),
        el('ul', {}, ...Object.entries(operation.responses).map(([status, answer]) =>
          el('li', {}, el('b', { textContent: status }), ' ', ...prose(resolve(spec, answer).description ?? '')))),
        tryIt(spec, method.toUpperCase(), path, operation))
    })
    groupOf(operation.tags?.[0] ?? '').append(details)
    rows.push({ details, text: [method, path, operation.operationId, operation.summary].join(' ').toLowerCase() })
  }
}
const found = document.querySelector('#found')
const filter = document.querySelector('#find')
const find = () => {
  const words = filter.value.toLowerCase().split(/\\s+/)
  for (const { details, text } of rows) details.hidden = !words.every((word) => text.includes(word))
  for (const section of groups.values()) section.hidden = !section.querySelector('details:not([hidden])')
  found.textContent = rows.filter(({ details }) => !details.hidden).length + ' of ' + rows.length + ' operations'
}
filter.addEventListener('input', find)
find()
// An address with an operation's name opens it.
const open = () => {
  const asked = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (asked?.matches('details')) { asked.open = true; asked.scrollIntoView() }
}
addEventListener('hashchange', open)
open()
`

const style = `
:root { color-scheme: light dark; --ink: #1a1d24; --soft: #5b6270; --line: #c9ced8; --paper: #fff; --back: #eef1f6; --act: #2146c7; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeff4; --soft: #a7aebc; --line: #474e5c; --paper: #1c2029; --back: #12151b; --act: #9db4ff; --bad: #ffb4ab; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: .75rem 1rem; }
header > div:first-child { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
a { color: var(--act); }
small, #found { color: var(--soft); font-size: .875rem; }
#found { margin: .75rem 0 0; }
code, pre, textarea { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; }
details { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; margin: 0 0 .4rem; scroll-margin-top: 1rem; }
details > :not(summary) { margin: 0 1rem 1rem; }
summary { cursor: pointer; padding: .55rem 1rem; display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; border-radius: .6rem; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::after { content: '+' / ''; margin-left: auto; color: var(--soft); }
[open] > summary::after { content: '−' / ''; }
summary b { min-width: 3.75rem; font-size: .8rem; color: var(--act); }
ul { padding-left: 1.1rem; }
label { display: block; font-weight: 600; margin: 0 0 .2rem; }
label small { font-weight: 400; }
.field { margin: 0 0 .75rem; }
header .field { margin: 0; }
[hidden] { display: none !important; }
input, textarea { width: 100%; font-size: 1rem; color: inherit; background: transparent; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: .5rem; }
input { font-family: inherit; }
header input { background: var(--paper); }
textarea { font-size: .875rem; field-sizing: content; min-height: 6rem; max-height: 30rem; resize: vertical; }
button { font: inherit; font-weight: 600; padding: .5rem 1.4rem; border: 0; border-radius: .5rem; background: var(--act); color: var(--paper); cursor: pointer; }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
pre { overflow: auto; max-height: 26rem; margin: .75rem 0 0; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; }
pre.fault { border-color: var(--bad); }
`

/**
 * Page that renders the OpenAPI document and sends requests. It loads no external
 * resources.
 */
export function apiPage(nonce: string): Response {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Interface of the local platform</title>
<style nonce="${nonce}">${style}</style>
<header>
<div><h1>Interface</h1><a href="/openapi.json">openapi.json</a></div>
<div class="field"><label for="key">Project key <small>x-service-key</small></label><input id="key" list="keys" autocomplete="off" spellcheck="false"><datalist id="keys"></datalist></div>
<div class="field"><label for="find">Find an operation</label><input id="find" type="search" autocomplete="off"></div>
</header>
<p id="found" role="status"></p>
<main>The document is being read.</main>
<script type="module" nonce="${nonce}">${script}</script>
</html>
`
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; connect-src 'self'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  })
}
